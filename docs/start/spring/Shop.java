package shop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class Shop {
    private static final String BASE_URL = env("KREDO_BASE_URL", "http://127.0.0.1:8254/api/v2");
    private static final String CREDENTIALS = env("KREDO_CONSUMER_KEY", "sandbox-key") + ":" + env("KREDO_CONSUMER_SECRET", "sandbox-secret");

    /** Top-ups by the gateway's request_id. A real shop keeps them in a table. */
    private final Map<String, Map<String, Object>> topUps = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();

    // region send
    @PostMapping("/top-ups")
    public ResponseEntity<Map<String, ?>> sell(@RequestBody Map<String, String> order) throws InterruptedException {
        var phoneNumber = order.get("phone_number");
        var amount = order.get("amount");
        try {
            var request = HttpRequest.newBuilder(URI.create(BASE_URL + "/airtime"))
                    .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(CREDENTIALS.getBytes()))
                    .header("Content-Type", "application/json")
                    .timeout(Duration.ofSeconds(30))
                    .POST(BodyPublishers.ofString(json.writeValueAsString(Map.of("phone_number", phoneNumber, "amount", amount))))
                    .build();
            var response = client.send(request, BodyHandlers.ofString());
            var answer = json.readValue(response.body(), Map.class);
            if (response.statusCode() != 200) {
                // A refusal may have its validation_errors alone.
                return ResponseEntity.status(422).body(Map.of("status", "refused", "refusal", answer));
            }
            Map<String, Object> topUp = Map.of("phone_number", phoneNumber, "amount", amount, "status", "sent");
            topUps.put((String) answer.get("request_id"), topUp);
            return ResponseEntity.status(201).body(topUp);
        } catch (IOException lost) {
            // No response: the outcome is unknown. Never send the order again; check the balance later.
            return ResponseEntity.status(202).body(Map.of("phone_number", phoneNumber, "amount", amount, "status", "unknown"));
        }
    }
    // endregion

    // region receive
    @PostMapping("/hooks")
    public ResponseEntity<Void> receive(@RequestBody Map<String, Object> callback) {
        topUps.computeIfPresent((String) callback.get("request_id"), (id, topUp) -> {
            // A repeated callback changes nothing.
            if (!topUp.get("status").equals("sent")) return topUp;
            var isPaid = callback.get("result_code").toString().equals("200");
            return Map.of(
                    "phone_number", topUp.get("phone_number"), "amount", topUp.get("amount"), "status", isPaid ? "paid" : "failed",
                    "charge", isPaid ? callback.get("charge") : 0);
        });
        return ResponseEntity.ok().build();
    }
    // endregion

    @GetMapping("/top-ups")
    public List<?> list() {
        return new ArrayList<>(topUps.values());
    }

    private static String env(String name, String usual) {
        return System.getenv().getOrDefault(name, usual);
    }
}
