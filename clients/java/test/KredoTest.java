import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kredo.Kredo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KredoTest {
    private static final HttpClient client = HttpClient.newHttpClient();

    private Kredo.Account account;

    @BeforeEach
    void open() {
        var callbacks = Map.of("airtime", "kredo:sink", "sms", "kredo:sink");
        account = Kredo.connect().openAccount(Map.of("balance", "500.00", "clock", "manual", "callbacks", callbacks));
    }

    @AfterEach
    void close() {
        account.close();
    }

    @Test
    void advancesTheClockAndReturnsTheCallbacks() throws Exception {
        var requestId = topUp("254712345678");

        var attempts = account.advance("5s");

        assertEquals(List.of(requestId), attempts.stream().map(Kredo.Attempt::requestId).toList());
        assertTrue(attempts.get(0).body().contains(requestId));
        assertTrue(attempts.get(0).acknowledged());
        assertEquals(attempts, account.received());
    }

    @Test
    void advancesToWhatIsDueNext() throws Exception {
        topUp("254712345678");

        assertNotEquals(account.advance("next"), account.advance("next"));
    }

    @Test
    void readsAndChangesTheWallet() throws Exception {
        topUp("254712345678");

        assertEquals(new Kredo.Wallet(new BigDecimal("405"), new BigDecimal("95"), new BigDecimal("500")), account.wallet());
        assertEquals(new BigDecimal("504.5"), account.topUp("99.50").available());
        assertEquals(new BigDecimal("10"), account.setBalance("10").available());
        assertEquals(
                List.of("opening", "hold", "top_up", "adjustment"), account.ledger().stream().map(Kredo.LedgerEntry::kind).toList());
    }

    @Test
    void findsTransactionsAndRequests() throws Exception {
        var requestId = topUp("254712345678");
        topUp("254722345678");
        send("airtime", "{\"phone_number\":\"254733345678\",\"amount\":\"1\"}");
        account.setBalance("0");
        topUp("254733345678");

        var refused = account.requests(Map.of("phone_number", "254733345678"));
        assertEquals(List.of(402, 422), refused.stream().map(Kredo.Request::statusCode).toList());
        var found = account.transactions(Map.of("phone_number", "2547123*"));
        var requests = account.requests(Map.of("phone_number", "254712345678"));

        assertEquals(List.of(account.transaction(requestId)), found);
        assertEquals(new Kredo.Request(requestId, "airtime", "2025-01-06T06:00:00.000Z", 200, "Operation successful."), requests.get(0));
        assertEquals(4, account.countRequests(Map.of("operation", "airtime")));
    }

    @Test
    void readsTheResultOfATransaction() throws Exception {
        var requestId = topUp("254712345678");

        account.advance("5s");

        var expected = new Kredo.Transaction(
                requestId, "airtime", "succeeded", "254712345678", new BigDecimal("100"), new BigDecimal("95"), new BigDecimal("95"), 200,
                account.transaction(requestId).resultDesc(), new BigDecimal("405"));
        assertEquals(expected, account.transaction(requestId));
    }

    @Test
    void readsMessagesInEveryAlphabet() throws Exception {
        send("sms", "{\"phone_number\":\"254712345678\",\"message\":\"Karibu \\\"wote\\\"\\n\\u2713\",\"sender_id\":\"SANDBOX\"}");
        account.advance("1m");

        var messages = account.messages("254712345678");

        assertEquals(List.of("Karibu \"wote\"\n\u2713"), messages.stream().map(Kredo.Message::message).toList());
        assertEquals(List.of(), account.messages("254722345678"));
    }

    @Test
    void startsAndStopsAShippedScenario() throws Exception {
        account.scenario("duplicate-callbacks");
        topUp("254712345678");
        assertEquals(3, account.advance("1h").size());

        account.endScenarios();
        topUp("254712345678");
        assertEquals(1, account.advance("1h").size());
    }

    @Test
    void startsACustomScenario() throws Exception {
        account.scenario("version: 1\nname: thrice\nrules:\n  - name: thrice\n    then: { callback: { times: 3 } }\n");
        topUp("254712345678");
        assertEquals(3, account.advance("1h").size());

        var rule = Map.of("name", "twice \"quoted\"", "then", Map.of("callback", Map.of("times", 2)));
        account.endScenarios();
        account.scenario(Map.of("version", 1, "name", "twice", "rules", List.of(rule)));
        topUp("254712345678");
        assertEquals(2, account.advance("1h").size());
    }

    @Test
    void reportsFindings() throws Exception {
        account.setCallbacks(Map.of("airtime", "http://127.0.0.1:9/hooks"));
        topUp("254712345678");
        account.advance("1m");

        assertEquals(List.of("callback-unreachable"), account.findings().stream().map(Kredo.Finding::id).toList());
        assertTrue(account.report("junit").contains("<testsuites"));
        assertTrue(account.report("html").contains("<!doctype html>"));
        assertTrue(account.report("json").matches("\\{.*\"trials\":\\[\\{.*\"callback-unreachable\".*\\}"), account.report("json"));
    }

    @Test
    void resetsAnAccountAndFindsItByItsKey() throws Exception {
        topUp("254712345678");

        account.reset();
        account.drain("1s");

        assertEquals(account.secret(), Kredo.connect().account(account.key()).secret());
        assertEquals(new BigDecimal("500"), account.wallet().available());
    }

    @Test
    void deletesAnAccount() {
        var other = Kredo.connect().openAccount(Map.of());
        other.close();

        var refused = assertThrows(Kredo.Refused.class, () -> Kredo.connect().account(other.key()));
        assertEquals(404, refused.status);
    }

    @Test
    void saysWhatIsWrongAndHowToFixIt() {
        var refused = assertThrows(Kredo.Refused.class, () -> account.advance("soon"));

        assertTrue(refused.getMessage().matches("422: .*\\bby\\b.*; write.*"), refused.getMessage());
    }

    @Test
    void verifiesRequestsAndNamesTheNearest() throws Exception {
        var nearest = topUp("254712345678");

        account.verify(Map.of("amount", "100"), 1, "0");
        var refused = assertThrows(Kredo.Refused.class, () -> account.verify(Map.of("amount", "50"), 1, "0"));
        assertTrue(refused.getMessage().contains("the nearest request, " + nearest + ", has amount \"100.00\", not \"50.00\""), refused.getMessage());
    }

    @Test
    void verifiesByEveryValueThatListsRequests() throws Exception {
        topUp("254712345678");
        send("airtime", "{\"phone_number\":\"254733345678\",\"amount\":\"1\"}");
        List<Map<String, ?>> matches = List.of(
                Map.of("operation", "airtime"), Map.of("phone_number", "254712*"), Map.of("phone_number", 254712345678L),
                Map.of("amount", "100"), Map.of("amount", 100), Map.of("amount", new BigDecimal("100.00")),
                Map.of("status_code", "422"), Map.of("status_code", 422), Map.of("sender_id", 20880), Map.of("message", new StringBuilder("\u2713")));

        for (var match : matches) account.verify(match, account.requests(match).size(), "0");

        assertEquals(1, account.countRequests(Map.of("amount", new BigDecimal("100.00"))));
    }

    @Test
    void verifiesANumberWithinBounds() throws Exception {
        topUp("254712345678");
        topUp("254722345678");

        account.verify(Map.of("operation", "airtime"), Map.of("gte", 2), "0");
        account.verify(Map.of("operation", "airtime"), Map.of("gt", 1, "lt", 3), "0");
        var refused = assertThrows(Kredo.Refused.class, () -> account.verify(Map.of(), Map.of("lte", 1), "0"));
        assertEquals(406, refused.status);
    }

    @Test
    void readsEveryListToItsEndOrItsLimit() throws Exception {
        account.scenario("version: 1\nname: tenfold\nrules:\n  - name: tenfold\n    then: { callback: { times: 10 } }\n");
        for (var order = 0; order < 101; order++) {
            send("sms", "{\"phone_number\":\"254712345678\",\"message\":\"" + order + "\",\"sender_id\":\"SANDBOX\"}");
        }
        account.advance("1h");

        var sms = Map.of("operation", "sms");
        var lists = List.of(account.transactions(sms), account.requests(sms), account.messages("254712*"));
        var attempts = List.of(account.sent(), account.received());
        var ledger = account.ledger();

        assertEquals(List.of(101, 101, 101), lists.stream().map(list -> Set.copyOf(list).size()).toList());
        assertEquals(List.of(1_010, 1_010), attempts.stream().map(list -> Set.copyOf(list).size()).toList());
        assertEquals(account.wallet().ledger(), ledger.get(ledger.size() - 1).balance());
        assertEquals(lists.get(0).subList(0, 3), account.transactions(Map.of("operation", "sms", "limit", 3)));
        assertEquals(lists.get(1).subList(0, 3), account.requests(Map.of("operation", "sms", "limit", 3)));
        assertEquals(lists.get(2).subList(0, 3), account.messages("254712*", 3));
        assertEquals(attempts.get(0).subList(0, 1_001), account.sent(1_001));
        assertEquals(attempts.get(1).subList(0, 3), account.received(3));
        assertEquals(ledger.subList(0, 3), account.ledger(3));
    }

    @Test
    void saysWhichAddressDidNotAnswer() {
        var silence = assertThrows(UncheckedIOException.class, () -> Kredo.connect("http://127.0.0.1:1", null).openAccount(Map.of()));

        assertTrue(silence.getMessage().matches("no sandbox answers at http://127\\.0\\.0\\.1:1 .*kredo serve.*"), silence.getMessage());
    }

    private String topUp(String phoneNumber) throws Exception {
        return send("airtime", "{\"phone_number\":\"%s\",\"amount\":\"100\"}".formatted(phoneNumber));
    }

    private String send(String path, String body) throws Exception {
        var credentials = Base64.getEncoder().encodeToString((account.key() + ":" + account.secret()).getBytes());
        var request = HttpRequest.newBuilder(URI.create(account.baseUrl() + "/" + path))
                .header("Authorization", "Basic " + credentials)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var answer = client.send(request, BodyHandlers.ofString()).body();
        return answer.replaceAll(".*\"request_id\":\"([^\"]*)\".*", "$1");
    }
}
