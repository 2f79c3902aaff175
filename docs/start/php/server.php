<?php

declare(strict_types=1);

// Start it with: php -S localhost:3000 server.php

/** Changes and returns the top-ups, by the gateway's request_id. A real shop keeps them in a table. */
function topUps(?callable $change = null): array
{
    $file = fopen(__DIR__ . '/top-ups.json', 'c+');
    flock($file, LOCK_EX);
    $topUps = json_decode(stream_get_contents($file) ?: '[]', true);
    if ($change !== null) {
        $topUps = $change($topUps);
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, json_encode($topUps));
    }
    return $topUps;
}

function answer(int $status, array $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body);
}

// region send
function sell(array $order): void
{
    $topUp = ['phone_number' => $order['phone_number'], 'amount' => $order['amount'], 'status' => 'sent'];
    $call = curl_init((getenv('KREDO_BASE_URL') ?: 'http://127.0.0.1:8254/api/v2') . '/airtime');
    curl_setopt_array($call, [
        CURLOPT_POSTFIELDS => json_encode(['phone_number' => $topUp['phone_number'], 'amount' => $topUp['amount']]),
        CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        CURLOPT_USERPWD => (getenv('KREDO_CONSUMER_KEY') ?: 'sandbox-key') . ':' . (getenv('KREDO_CONSUMER_SECRET') ?: 'sandbox-secret'),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);
    $acknowledgment = json_decode((string) curl_exec($call), true);
    if (!is_array($acknowledgment)) {
        // No response: the outcome is unknown. Never send the order again; check the balance later.
        answer(202, ['status' => 'unknown'] + $topUp);
    } elseif (curl_getinfo($call, CURLINFO_RESPONSE_CODE) !== 200) {
        // A refusal may have its validation_errors alone.
        answer(422, ['status' => 'refused', 'refusal' => $acknowledgment] + $topUp);
    } else {
        topUps(fn (array $all) => $all + [$acknowledgment['request_id'] => $topUp]);
        answer(201, $topUp);
    }
}
// endregion

// region receive
function receive(array $callback): void
{
    topUps(function (array $all) use ($callback) {
        $id = $callback['request_id'];
        // A repeated callback changes nothing.
        if (($all[$id]['status'] ?? null) === 'sent') {
            $isPaid = (int) $callback['result_code'] === 200;
            $all[$id] = [...$all[$id], ...($isPaid ? ['status' => 'paid', 'charge' => $callback['charge']] : ['status' => 'failed'])];
        }
        return $all;
    });
    answer(200, []);
}
// endregion

$body = json_decode(file_get_contents('php://input'), true) ?? [];
match ("{$_SERVER['REQUEST_METHOD']} {$_SERVER['REQUEST_URI']}") {
    'POST /top-ups' => sell($body),
    'POST /hooks' => receive($body),
    'GET /top-ups' => answer(200, array_values(topUps())),
    default => answer(404, []),
};
