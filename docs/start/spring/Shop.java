package shop;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class Shop {
    private static final String BASE_URL = env("KREDO_BASE_URL", "http://127.0.0.1:8254/api/v2");
    private static final String CREDENTIALS = env("KREDO_CONSUMER_KEY", "sandbox-key") + ":" + env("KREDO_CONSUMER_SECRET", "sandbox-secret");

    /** Top-ups by their reference, and callbacks by the gateway's request_id. A real shop keeps both in tables. */
    private final Map<String, Map<String, Object>> topUps = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Object>> callbacks = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();

    @PostMapping("/top-ups")
    public ResponseEntity<Map<String, Object>> sell(@RequestBody Map<String, String> order) throws InterruptedException {
        var body = Map.of("phone_number", international(order.get("phone_number")), "amount", order.get("amount"));
        var topUp = new ConcurrentHashMap<String, Object>(body);
        topUp.putAll(Map.of("reference", order.get("reference"), "status", "unknown"));
        // The same order again, such as a double click, gets the first answer.
        var first = topUps.putIfAbsent(order.get("reference"), topUp);
        if (first != null) return ResponseEntity.ok(first);
        try {
            var request = HttpRequest.newBuilder(URI.create(BASE_URL + "/airtime"))
                    .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(CREDENTIALS.getBytes()))
                    .header("Content-Type", "application/json")
                    .timeout(Duration.ofSeconds(10))
                    .POST(BodyPublishers.ofString(json.writeValueAsString(body)))
                    .build();
            var response = client.send(request, BodyHandlers.ofString());
            var answer = json.readValue(response.body(), Map.class);
            if (Objects.equals(answer.get("status_code"), 200)) {
                topUp.putAll(Map.of("status", "sent", "request_id", answer.get("request_id")));
            } else if (response.statusCode() <= 500) {
                // A 502, 503 or 504 comes from a proxy: the outcome is unknown.
                topUp.put("status", "refused");
            }
        } catch (IOException lost) {
            // No complete response: the outcome is unknown. Never send the order again; a person checks the balance.
        }
        return ResponseEntity.status(201).body(topUp);
    }

    /** Writes a number as the gateway takes it (254712000001), however a customer types it: 0712 000 001, +254712000001. */
    private static String international(String typed) {
        return typed.replaceAll("\\D", "").replaceFirst("^0", "254");
    }

    // region receive
    @PostMapping("/hooks")
    public ResponseEntity<Void> receive(InputStream body) throws IOException {
        Map<String, Object> callback = json.readValue(body, Map.class);
        // The first callback counts. It may come before the gateway's response to the order.
        callbacks.putIfAbsent((String) callback.get("request_id"), callback);
        return ResponseEntity.ok().build();
    }
    // endregion

    @GetMapping("/top-ups/{reference}")
    public ResponseEntity<Map<String, Object>> show(@PathVariable("reference") String reference) {
        var topUp = topUps.get(reference);
        if (topUp == null) return ResponseEntity.notFound().build();
        var shown = new HashMap<>(topUp);
        var callback = callbacks.get(topUp.getOrDefault("request_id", ""));
        if (callback != null && callback.get("result_code").toString().equals("200")) {
            shown.putAll(Map.of("status", "paid", "charge", callback.get("charge")));
        } else if (callback != null) {
            shown.put("status", "failed");
        }
        return ResponseEntity.ok(shown);
    }

    private static String env(String name, String usual) {
        return System.getenv().getOrDefault(name, usual);
    }
}
