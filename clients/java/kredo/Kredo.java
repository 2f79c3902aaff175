package kredo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A client of the Kredo sandbox's control API. Needs only Java 17 or newer. Copy this file into your tests.
 *
 * <pre>{@code
 * var sandbox = Kredo.connect();                      // reads KREDO_URL and KREDO_ADMIN_TOKEN, as `kredo exec` sets them
 * var account = sandbox.openAccount(Map.of("balance", "500.00", "clock", "manual", "callbacks", Map.of("airtime", "kredo:sink")));
 * ...                                                 // your code calls account.baseUrl() with account.key() and account.secret()
 * account.advance("5s").forEach(attempt -> System.out.println(attempt.body()));
 * }</pre>
 */
public final class Kredo {
    /** KES. */
    public record Wallet(BigDecimal available, BigDecimal held, BigDecimal ledger) {}

    /** {@code kind} is opening, brought_forward, top_up, hold, charge, release, refund, adjustment or fee. */
    public record LedgerEntry(int number, String at, String kind, BigDecimal amount, BigDecimal balance, BigDecimal available) {}

    /**
     * One attempt to deliver a callback. {@code body} is the text that was sent, or null if its transaction was evicted; {@code answered} is
     * the receiver's HTTP status, or null.
     */
    public record Attempt(
            String requestId, int attempt, String at, String url, String body, Integer answered, boolean acknowledged, String explanation) {}

    /**
     * An accepted request. {@code operation} is airtime or sms. {@code state} is queued, succeeded, failed, reversed or stuck. The amount is
     * null for SMS; the last four are null until it settles.
     */
    public record Transaction(
            String requestId, String operation, String state, String phoneNumber, BigDecimal amount, BigDecimal hold,
            BigDecimal charge, Integer resultCode, String resultDesc, BigDecimal accountBalance) {}

    /**
     * A request that reached the gateway. {@code operation} is airtime, sms, account-details or unknown. {@code statusCode} is 0 if a scenario
     * broke the connection before acceptance.
     */
    public record Request(String requestId, String operation, String at, int statusCode, String description) {}

    /** An SMS, as the phone received it. */
    public record Message(String requestId, String phoneNumber, String senderId, String message, int parts, String deliveredAt) {}

    /** Something wrong in your backend's behaviour. {@code severity} is defect, risk, cost or hint. */
    public record Finding(String id, String severity, String title, String seen, String why, String repair, int count) {}

    /** The control API refused a call. Has the HTTP status and the whole response. */
    @SuppressWarnings("serial")
    public static final class Refused extends RuntimeException {
        public final int status;
        public final Object answer;

        Refused(int status, Object answer) {
            super(status + ": " + (answer instanceof Map<?, ?> told ? told.get("problem") + "; " + told.get("repair") : answer));
            this.status = status;
            this.answer = answer;
        }
    }

    /** A longer page waits in the sandbox until those of other callers are ready. */
    private static final int ROWS_OF_A_PAGE = 1_000;

    private static final String JSON = "application/json";

    private final HttpClient client = HttpClient.newHttpClient();
    private final String url;
    private final String adminToken;

    private Kredo(String url, String adminToken) {
        this.url = url.replaceAll("/+$", "");
        this.adminToken = adminToken;
    }

    /** Connects to the running sandbox at KREDO_URL (or http://127.0.0.1:8254), with KREDO_ADMIN_TOKEN. */
    public static Kredo connect() {
        return connect(Objects.requireNonNullElse(System.getenv("KREDO_URL"), "http://127.0.0.1:8254"), System.getenv("KREDO_ADMIN_TOKEN"));
    }

    /** Connects to a running sandbox. Pass null as {@code adminToken} if it needs none. */
    public static Kredo connect(String url, String adminToken) {
        return new Kredo(url, adminToken);
    }

    public String url() {
        return url;
    }

    /** Opens an account with its own wallet, clock and credentials. The options are the keys of {@code accounts} in the config file. */
    public Account openAccount(Map<String, ?> options) {
        return account(send("POST", "accounts", Json.write(options), JSON, "consumer_key"));
    }

    /** Finds an existing account; "default" is the first one. */
    public Account account(String key) {
        return account(send("GET", "accounts/" + encode(key), null, JSON, "consumer_key"));
    }

    /** Makes any call of the control API. The path is relative to /__admin/. Returns maps, lists, strings, BigDecimals and booleans, as in the JSON. */
    public Object call(String method, String path, Object body) {
        return send(method, path, body == null ? null : Json.write(body), JSON, null);
    }

    private Account account(Object opened) {
        var found = map(opened);
        return new Account((String) found.get("consumer_key"), (String) found.get("consumer_secret"));
    }

    private Object send(String method, String path, String body, String contentType, String expected) {
        var request = HttpRequest.newBuilder(URI.create(url + "/__admin/" + path))
                .header("Content-Type", contentType)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (adminToken != null) request.header("Authorization", "Bearer " + adminToken);
        try {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            var status = answer.statusCode();
            var isJson = answer.headers().firstValue("content-type").orElse("").contains("json");
            var read = isJson ? new Json(answer.body()).read() : answer.body();
            if (status >= 400 && has(read, "problem")) throw new Refused(status, read);
            if (status >= 400 || (expected != null && !has(read, expected)))
                throw new UncheckedIOException(url + " answered " + status + " but is not a Kredo sandbox; correct KREDO_URL", new IOException());
            return read;
        } catch (IOException problem) {
            var reason = problem.getMessage() == null ? "connection refused" : problem.getMessage();
            throw new UncheckedIOException("no sandbox answers at " + url + " (" + reason + "); start one with kredo serve, or correct KREDO_URL", problem);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /**
     * One account: the settings for your code, and everything that the control API knows about it. Every list is whole, unless you pass a
     * {@code limit}: then it has only its first rows.
     */
    public final class Account implements AutoCloseable {
        private final String key;
        private final String secret;

        private Account(String key, String secret) {
            this.key = key;
            this.secret = secret;
        }

        public String key() {
            return key;
        }

        public String secret() {
            return secret;
        }

        /** The base URL for your gateway client. */
        public String baseUrl() {
            return url + "/api/v2";
        }

        /** Makes any call of the control API for this account. The path is relative to /__admin/accounts/KEY/. */
        public Object call(String method, String path, Object body) {
            return Kredo.this.call(method, path(path), body);
        }

        /**
         * Advances a manual clock by a duration such as "10m", or to the "next" thing due. Returns the first 1,000 callback attempts, in
         * order; {@code sent} lists all.
         */
        public List<Attempt> advance(String by) {
            var answer = map(call("POST", "clock/advance", Map.of(by.equals("next") ? "to" : "by", by)));
            return rows(answer.get("fired"), Attempt.class);
        }

        /** Waits until no callback is being sent. */
        public void drain(String within) {
            call("POST", "drain", Map.of("within", within));
        }

        public Wallet wallet() {
            return read(call("GET", "wallet", null), Wallet.class);
        }

        /** Adds money. */
        public Wallet topUp(String amount) {
            return read(call("POST", "wallet/top-ups", Map.of("amount", amount)), Wallet.class);
        }

        /** Sets the available balance. Holds stay as they are. */
        public Wallet setBalance(String balance) {
            return read(call("PUT", "wallet", Map.of("balance", balance)), Wallet.class);
        }

        /** Oldest entry first. */
        public List<LedgerEntry> ledger() {
            return items("ledger", Map.of(), LedgerEntry.class);
        }

        public List<LedgerEntry> ledger(int limit) {
            return items("ledger", Map.of("limit", limit), LedgerEntry.class);
        }

        /** Sets the callback URLs, such as Map.of("airtime", "http://localhost:3000/hooks"). "kredo:sink" stores callbacks for {@link #received}. */
        public void setCallbacks(Map<String, ?> change) {
            call("PUT", "callbacks", change);
        }

        /** The callback attempts, newest first. */
        public List<Attempt> sent() {
            return items("callbacks/sent", Map.of(), Attempt.class);
        }

        public List<Attempt> sent(int limit) {
            return items("callbacks/sent", Map.of("limit", limit), Attempt.class);
        }

        /** The callbacks that {@code kredo:sink} received, newest first. */
        public List<Attempt> received() {
            return items("callbacks/received", Map.of(), Attempt.class);
        }

        public List<Attempt> received(int limit) {
            return items("callbacks/received", Map.of("limit", limit), Attempt.class);
        }

        /** Starts a scenario: the name of a shipped one, or YAML text. */
        public void scenario(String scenario) {
            if (scenario.contains("\n")) send("POST", path("scenarios"), scenario, "application/yaml", null);
            else scenario(Map.of("name", scenario));
        }

        /** Starts a scenario, given as the content of a scenario file. */
        public void scenario(Map<String, ?> scenario) {
            call("POST", "scenarios", scenario);
        }

        public void endScenarios() {
            call("DELETE", "scenarios", null);
        }

        /** Newest first; match by operation, phone_number, state or since. {@code limit} can be another key. */
        public List<Transaction> transactions(Map<String, ?> match) {
            return items("transactions", match, Transaction.class);
        }

        public Transaction transaction(String requestId) {
            return read(call("GET", "transactions/" + encode(requestId), null), Transaction.class);
        }

        /** Newest first; match by operation, phone_number, amount, sender_id, message or status_code. {@code limit} can be another key. */
        public List<Request> requests(Map<String, ?> match) {
            return items("requests", match, Request.class);
        }

        /** Waits (wall time) until this many requests match. The exception names the nearest request and its first difference. */
        public void verify(Map<String, ?> match, int count, String within) {
            verify(match, Map.of("eq", count), within);
        }

        /** The same for a number within bounds, such as Map.of("gte", 1). The bounds are gt, gte, lt, lte and eq. */
        public void verify(Map<String, ?> match, Map<String, Integer> bounds, String within) {
            call("POST", "requests/verify", Map.of("match", match, "count", bounds, "within", within));
        }

        /** Match as for {@link #requests}. */
        public int countRequests(Map<String, ?> match) {
            return ((BigDecimal) map(call("GET", "requests/count" + query(match), null)).get("count")).intValueExact();
        }

        /** Delivered SMS, newest first. */
        public List<Message> messages(String phoneNumber) {
            return items("messages", Map.of("phone_number", phoneNumber), Message.class);
        }

        public List<Message> messages(String phoneNumber, int limit) {
            return items("messages", Map.of("phone_number", phoneNumber, "limit", limit), Message.class);
        }

        /** Defects first. */
        public List<Finding> findings() {
            return items("findings", Map.of(), Finding.class);
        }

        /** The text of a report. {@code format} is "json", "junit" or "html". */
        public String report(String format) {
            var report = call("GET", "report?format=" + encode(format), null);
            return report instanceof String text ? text : Json.write(report);
        }

        /** Restores the account to how it was opened: wallet, journal, counters and clock. */
        public void reset() {
            call("POST", "reset", Map.of());
        }

        /** Deletes the account. Does nothing if it is gone. */
        @Override
        public void close() {
            try {
                Kredo.this.call("DELETE", "accounts/" + encode(key), null);
            } catch (Refused refusal) {
                if (refusal.status != 404) throw refusal;
            }
        }

        private String path(String path) {
            return "accounts/" + encode(key) + "/" + path;
        }

        /** Reads a list to its end or its limit, page by page. */
        private <T extends Record> List<T> items(String path, Map<String, ?> match, Class<T> type) {
            var limit = match.containsKey("limit") ? Integer.parseInt(String.valueOf(match.get("limit"))) : Integer.MAX_VALUE;
            var query = new LinkedHashMap<String, Object>(match);
            var items = new ArrayList<T>();
            do {
                query.put("limit", Math.min(limit - items.size(), ROWS_OF_A_PAGE));
                var page = map(call("GET", path + query(query), null));
                items.addAll(rows(page.get("items"), type));
                query.put("cursor", page.get("next"));
            } while (query.get("cursor") != null && items.size() < limit);
            return items;
        }
    }

    private static <T extends Record> List<T> rows(Object list, Class<T> type) {
        return ((List<?>) list).stream().map(row -> read(row, type)).toList();
    }

    /** Reads a record from an object of a response: requestId from its request_id. A missing key is null. */
    private static <T extends Record> T read(Object object, Class<T> type) {
        var components = type.getRecordComponents();
        var types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var values = Stream.of(components).map(one -> convert(map(object).get(snakeCase(one.getName())), one.getType())).toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException problem) {
            throw new IllegalStateException(problem);
        }
    }

    private static Object convert(Object value, Class<?> type) {
        return value instanceof BigDecimal number && type != BigDecimal.class ? (Object) number.intValueExact() : value;
    }

    private static String snakeCase(String name) {
        return name.replaceAll("[A-Z]", "_$0").toLowerCase(Locale.ROOT);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> map(Object json) {
        return (Map<String, ?>) json;
    }

    private static boolean has(Object json, String key) {
        return json instanceof Map<?, ?> object && object.containsKey(key);
    }

    private static String query(Map<String, ?> match) {
        return match.entrySet().stream()
                .map(pair -> encode(pair.getKey()) + "=" + encode(String.valueOf(pair.getValue())))
                .collect(Collectors.joining("&", match.isEmpty() ? "" : "?", ""));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A small JSON parser and writer, because Java has none: objects are maps, arrays are lists, numbers are BigDecimals. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                return map.entrySet().stream()
                        .map(pair -> write(pair.getKey()) + ":" + write(pair.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
            }
            if (value instanceof Iterable<?> list) {
                var items = new ArrayList<String>();
                list.forEach(item -> items.add(write(item)));
                return "[" + String.join(",", items) + "]";
            }
            return value == null || value instanceof Number || value instanceof Boolean ? String.valueOf(value) : quote(value.toString());
        }

        private static String quote(String text) {
            return text.chars()
                    .mapToObj(c -> c < ' ' || c == '"' || c == '\\' ? "\\u%04x".formatted(c) : String.valueOf((char) c))
                    .collect(Collectors.joining("", "\"", "\""));
        }

        Object read() {
            return switch (next()) {
                case '{' -> object();
                case '[' -> list();
                case '"' -> string();
                default -> literal();
            };
        }

        private Map<String, Object> object() {
            var object = new LinkedHashMap<String, Object>();
            for (at++; next() != '}'; skip(',')) {
                next();
                var key = string();
                skip(':');
                object.put(key, read());
            }
            at++;
            return object;
        }

        private List<Object> list() {
            var list = new ArrayList<Object>();
            for (at++; next() != ']'; skip(',')) list.add(read());
            at++;
            return list;
        }

        private String string() {
            var string = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) string.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
            at++;
            return string.toString();
        }

        private char escaped() {
            var letter = text.charAt(++at);
            if (letter == 'u') {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            }
            return switch (letter) {
                case 'n' -> '\n';
                case 't' -> '\t';
                case 'r' -> '\r';
                case 'b' -> '\b';
                case 'f' -> '\f';
                default -> letter;
            };
        }

        private Object literal() {
            var from = at;
            while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) at++;
            var literal = text.substring(from, at);
            return switch (literal) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> new BigDecimal(literal);
            };
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private void skip(char mark) {
            if (next() == mark) at++;
        }
    }
}
