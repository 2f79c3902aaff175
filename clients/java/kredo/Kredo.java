package kredo;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

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

    /** {@code kind} is opening, brought_forward, top_up, hold, charge, release, adjustment or fee. */
    public record LedgerEntry(int number, String at, String kind, BigDecimal amount, BigDecimal balance, BigDecimal available) {}

    /** One attempt to deliver a callback. {@code body} is the text that was sent; {@code answered} is the receiver's HTTP status, or null. */
    public record Attempt(
            String requestId, int attempt, String at, String url, String body, Integer answered, boolean acknowledged, String explanation) {}

    /** An accepted request. {@code state} is queued, succeeded, failed or stuck. The amount is null for SMS; the last four are null until it settles. */
    public record Transaction(
            String requestId, String operation, String state, String phoneNumber, BigDecimal amount, BigDecimal hold,
            BigDecimal charge, Integer resultCode, String resultDesc, BigDecimal accountBalance) {}

    /** A request that reached the gateway. {@code statusCode} is 0 if a scenario broke the connection before acceptance. */
    public record Request(String requestId, String operation, String at, int statusCode, String description) {}

    /** An SMS, as the phone received it. */
    public record Message(String requestId, String phoneNumber, String senderId, String message, int parts, String deliveredAt) {}

    /** A defect, risk, cost or hint in your backend's behaviour. */
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
        return account(map(call("POST", "accounts", options)));
    }

    /** Finds an existing account; "default" is the first one. */
    public Account account(String key) {
        return account(map(call("GET", "accounts/" + encode(key), null)));
    }

    /** Makes any call of the control API. The path is relative to /__admin/. Returns maps, lists, strings, BigDecimals and booleans, as in the JSON. */
    public Object call(String method, String path, Object body) {
        return send(method, path, body == null ? null : Json.write(body), "application/json");
    }

    private Account account(Map<String, ?> found) {
        return new Account((String) found.get("consumer_key"), (String) found.get("consumer_secret"));
    }

    private Object send(String method, String path, String body, String contentType) {
        var request = HttpRequest.newBuilder(URI.create(url + "/__admin/" + path))
                .header("Content-Type", contentType)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (adminToken != null) request.header("Authorization", "Bearer " + adminToken);
        try {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            var isJson = answer.headers().firstValue("content-type").orElse("").contains("json");
            var read = isJson ? new Json(answer.body()).read() : answer.body();
            if (answer.statusCode() >= 400) throw new Refused(answer.statusCode(), read);
            return read;
        } catch (IOException problem) {
            throw new UncheckedIOException(url + ": " + problem.getMessage(), problem);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** One account: the settings for your code, and everything that the control API knows about it. */
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
            return rows(answer.get("fired"), Kredo::readAttempt);
        }

        /** Waits until no callback is being sent. */
        public void drain(String within) {
            call("POST", "drain", Map.of("within", within));
        }

        public Wallet wallet() {
            return readWallet(call("GET", "wallet", null));
        }

        /** Adds money. */
        public Wallet topUp(String amount) {
            return readWallet(call("POST", "wallet/top-ups", Map.of("amount", amount)));
        }

        /** Sets the available balance. Holds stay as they are. */
        public Wallet setBalance(String balance) {
            return readWallet(call("PUT", "wallet", Map.of("balance", balance)));
        }

        /** Oldest entry first. */
        public List<LedgerEntry> ledger() {
            return items("ledger", Map.of("limit", "1000"), row -> new LedgerEntry(
                    row.integer("number"), row.text("at"), row.text("kind"), row.number("amount"), row.number("balance"), row.number("available")));
        }

        /** Sets the callback URLs, such as Map.of("airtime", "http://localhost:3000/hooks"). "kredo:sink" stores callbacks for {@link #received}. */
        public void setCallbacks(Map<String, ?> change) {
            call("PUT", "callbacks", change);
        }

        /** The callback attempts, newest first. */
        public List<Attempt> sent() {
            return items("callbacks/sent", Map.of(), Kredo::readAttempt);
        }

        /** The callbacks that {@code kredo:sink} received, newest first. */
        public List<Attempt> received() {
            return items("callbacks/received", Map.of(), Kredo::readAttempt);
        }

        /** Starts a scenario: the name of a shipped one, or YAML text. */
        public void scenario(String scenario) {
            if (scenario.contains("\n")) send("POST", path("scenarios"), scenario, "application/yaml");
            else scenario(Map.of("name", scenario));
        }

        /** Starts a scenario, given as the content of a scenario file. */
        public void scenario(Map<String, ?> scenario) {
            call("POST", "scenarios", scenario);
        }

        public void endScenarios() {
            call("DELETE", "scenarios", null);
        }

        /** Newest first; match by operation, phone_number, state or since. */
        public List<Transaction> transactions(Map<String, String> match) {
            return items("transactions", match, Kredo::readTransaction);
        }

        public Transaction transaction(String requestId) {
            return readTransaction(new Row(map(call("GET", "transactions/" + encode(requestId), null))));
        }

        /** Newest first; match by operation, phone_number, amount, sender_id, message or status_code. */
        public List<Request> requests(Map<String, String> match) {
            return items("requests", match, row -> new Request(
                    row.text("request_id"), row.text("operation"), row.text("at"), row.integer("status_code"), row.text("description")));
        }

        /** Match as for {@link #requests}. */
        public int countRequests(Map<String, String> match) {
            return new Row(map(call("GET", "requests/count" + query(match), null))).integer("count");
        }

        /** Delivered SMS, newest first. */
        public List<Message> messages(String phoneNumber) {
            return items("messages", Map.of("phone_number", phoneNumber), row -> new Message(
                    row.text("request_id"), row.text("phone_number"), row.text("sender_id"), row.text("message"), row.integer("parts"),
                    row.text("delivered_at")));
        }

        /** Defects first. */
        public List<Finding> findings() {
            return items("findings", Map.of(), row -> new Finding(
                    row.text("id"), row.text("severity"), row.text("title"), row.text("seen"), row.text("why"), row.text("repair"),
                    row.integer("count")));
        }

        /** The text of a report. {@code format} is "junit" or "html". For JSON, use {@code call("GET", "report", null)}. */
        public String report(String format) {
            return (String) call("GET", "report?format=" + encode(format), null);
        }

        /** Restores the account to how it was opened: wallet, journal, counters and clock. */
        public void reset() {
            call("POST", "reset", Map.of());
        }

        /** Deletes the account. */
        @Override
        public void close() {
            Kredo.this.call("DELETE", "accounts/" + encode(key), null);
        }

        private String path(String path) {
            return "accounts/" + encode(key) + "/" + path;
        }

        private <T> List<T> items(String path, Map<String, String> match, Function<Row, T> read) {
            return rows(map(call("GET", path + query(match), null)).get("items"), read);
        }

        private Wallet readWallet(Object answer) {
            var row = new Row(map(answer));
            return new Wallet(row.number("available"), row.number("held"), row.number("ledger"));
        }
    }

    private static Attempt readAttempt(Row row) {
        return new Attempt(
                row.text("request_id"), row.integer("attempt"), row.text("at"), row.text("url"), row.text("body"), row.integer("answered"),
                (Boolean) row.keys().get("acknowledged"), row.text("explanation"));
    }

    private static Transaction readTransaction(Row row) {
        return new Transaction(
                row.text("request_id"), row.text("operation"), row.text("state"), row.text("phone_number"), row.number("amount"), row.number("hold"),
                row.number("charge"), row.integer("result_code"), row.text("result_desc"), row.number("account_balance"));
    }

    /** An object in a response. A missing key is null. */
    private record Row(Map<String, ?> keys) {
        String text(String key) {
            return (String) keys.get(key);
        }

        BigDecimal number(String key) {
            return (BigDecimal) keys.get(key);
        }

        Integer integer(String key) {
            return keys.get(key) instanceof BigDecimal number ? number.intValueExact() : null;
        }
    }

    private static <T> List<T> rows(Object list, Function<Row, T> read) {
        return ((List<?>) list).stream().map(row -> read.apply(new Row(map(row)))).toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> map(Object json) {
        return (Map<String, ?>) json;
    }

    private static String query(Map<String, String> match) {
        return match.entrySet().stream()
                .map(pair -> encode(pair.getKey()) + "=" + encode(pair.getValue()))
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
            return value instanceof CharSequence || value instanceof Character ? quote(value.toString()) : String.valueOf(value);
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
