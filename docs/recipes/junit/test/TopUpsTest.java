import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Map;
import kredo.Kredo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopUpsTest {
    // region account
    private Kredo.Account account;
    private TopUps topUps;

    @BeforeEach
    void openAccount() {
        var options = Map.of("balance", "500.00", "clock", "manual", "callbacks", Map.of("airtime", "kredo:sink"));
        account = Kredo.connect().openAccount(options);
        topUps = new TopUps(account.baseUrl(), account.key(), account.secret());
    }
    // endregion

    // region advance
    @Test
    void knowsTheChargeOnceTheCallbackHasArrived() throws Exception {
        var sold = topUps.sell("254712345678", "100");

        account.advance("5s").forEach(attempt -> topUps.report(attempt.body()));

        assertEquals(new TopUps.Report(true, 95), topUps.reportOf(sold.requestId()));
        assertEquals(new BigDecimal("405"), account.wallet().available());
    }
    // endregion

    @Test
    void treatsALostResponseAsUnknownAndStillBooksTheCallback() throws Exception {
        var sold = topUps.sell("254700000603", "100");

        account.advance("5s").forEach(attempt -> topUps.report(attempt.body()));

        assertEquals(TopUps.Outcome.UNKNOWN, sold.outcome());
        assertEquals(95, topUps.spent());
        assertEquals(1, account.countRequests(Map.of("operation", "airtime")));
    }

    @Test
    void booksARepeatedCallbackOnlyOnce() throws Exception {
        topUps.sell("254700000302", "100");

        var attempts = account.advance("1h");
        attempts.forEach(attempt -> topUps.report(attempt.body()));

        assertEquals(2, attempts.size());
        assertEquals(95, topUps.spent());
    }

    @Test
    void tellsARefusalFromALostAnswer() throws Exception {
        assertEquals(TopUps.Outcome.REFUSED, topUps.sell("254700000402", "100").outcome());
    }
}
