import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Sells airtime, and tells a refused order from one with an unknown outcome: only a refused order may be sent again. */
public final class TopUps {
    public enum Outcome { ACCEPTED, REFUSED, UNKNOWN }

    public record Sold(Outcome outcome, String requestId) {}

    public record Report(boolean paid, double charge) {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, Report> reports = new ConcurrentHashMap<>();
    private final String baseUrl;
    private final String authorization;

    public TopUps(String baseUrl, String key, String secret) {
        this.baseUrl = baseUrl;
        this.authorization = "Basic " + Base64.getEncoder().encodeToString((key + ":" + secret).getBytes());
    }

    public Sold sell(String phoneNumber, String amount) throws InterruptedException {
        var body = "{\"phone_number\":\"%s\",\"amount\":\"%s\"}".formatted(phoneNumber, amount);
        var request = HttpRequest.newBuilder(URI.create(baseUrl + "/airtime"))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            var answer = client.send(request, BodyHandlers.ofString());
            var requestId = Json.text(answer.body(), "request_id");
            return new Sold(answer.statusCode() == 200 ? Outcome.ACCEPTED : Outcome.REFUSED, requestId);
        } catch (IOException lost) {
            return new Sold(Outcome.UNKNOWN, null);
        }
    }

    /** Handles a callback. A repeated callback changes nothing. */
    public void report(String callback) {
        var paid = Json.number(callback, "result_code") == 200;
        reports.putIfAbsent(Json.text(callback, "request_id"), new Report(paid, Json.number(callback, "charge")));
    }

    public Report reportOf(String requestId) {
        return reports.get(requestId);
    }

    public double spent() {
        return reports.values().stream().mapToDouble(Report::charge).sum();
    }
}
