import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopUpsTest {
    private final AtomicInteger callbacks = new AtomicInteger();
    private Account account;
    private TopUps topUps;

    @BeforeEach
    void open() throws Exception {
        account = new Account(this::take);
        topUps = new TopUps(System.getenv("KREDO_BASE_URL"), account.key, account.secret);
    }

    @AfterEach
    void close() {
        account.close();
    }

    private void take(String callback) {
        topUps.report(callback);
        callbacks.incrementAndGet();
    }

    // region advance
    @Test
    void knowsWhatATopUpCostOnceItsCallbackHasCome() throws Exception {
        var sold = topUps.sell("254712345678", "100");

        account.advance("5s");

        assertEquals(new TopUps.Report(true, 95), topUps.reportOf(sold.requestId()));
        assertEquals(405, Json.number(account.call("GET", "wallet", null), "available"));
    }
    // endregion

    // region lost
    @Test
    void takesALostAnswerForUnknownAndCountsTheCallbackThatComes() throws Exception {
        var sold = topUps.sell("254700000603", "100");

        account.advance("5s");

        assertEquals(TopUps.Outcome.UNKNOWN, sold.outcome());
        assertEquals(95, topUps.spent());
        assertEquals(1, Json.number(account.call("GET", "requests/count?operation=airtime", null), "count"));
    }
    // endregion

    // region twice
    @Test
    void booksACallbackThatComesTwiceOnce() throws Exception {
        topUps.sell("254700000302", "100");

        account.advance("1h");

        assertEquals(2, callbacks.get());
        assertEquals(95, topUps.spent());
    }
    // endregion

    @Test
    void tellsARefusalFromALostAnswer() throws Exception {
        assertEquals(TopUps.Outcome.REFUSED, topUps.sell("254700000402", "100").outcome());
    }
}
