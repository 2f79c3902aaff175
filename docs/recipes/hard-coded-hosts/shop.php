<?php
// A shop whose gateway host is hard-coded. It keeps orders in a file, because PHP keeps nothing in memory between requests.
const GATEWAY = 'https://api.gateway.example/api/v2/airtime';
const FILE = __DIR__ . '/orders.json';

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$body = json_decode(file_get_contents('php://input'), true) ?? [];
header('content-type: application/json');
if ($path === '/orders') {
    $id = bin2hex(random_bytes(8));
    change(fn ($shop) => ['orders' => [$id => ['status' => 'open']] + $shop['orders']] + $shop);
    $answer = send(international($body['phone']), (string) $body['amount']);
    change(fn ($shop) => match ($answer['status_code'] ?? null) {
        null => $shop, // unknown outcome: never send it again
        200 => settle(['orders' => [$id => ['status' => 'open', 'request_id' => $answer['request_id']]] + $shop['orders']] + $shop),
        default => ['orders' => [$id => ['status' => 'failed']] + $shop['orders']] + $shop,
    });
    echo json_encode(['id' => $id]);
} elseif ($path === '/callback' && isset($body['request_id'], $body['result_code'])) {
    change(fn ($shop) => settle(['results' => $shop['results'] + [$body['request_id'] => $body['result_code']]] + $shop));
    echo '{"received": true}';
} elseif ($path === '/callback') {
    http_response_code(400);
} else {
    echo json_encode(change(fn ($shop) => $shop)['orders'][basename($path)] ?? null);
}

/** A number as the gateway wants it: "0712 000 001" and "+254712000001" are 254712000001. */
function international(string $phone): string
{
    return preg_replace('/^0/', '254', preg_replace('/[^0-9]/', '', $phone));
}

/** The gateway's response; null if there was none or it came from a proxy. */
function send(string $phone, string $amount): ?array
{
    $curl = curl_init(GATEWAY);
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 2,
        CURLOPT_USERPWD => 'sandbox-key:sandbox-secret',
        CURLOPT_HTTPHEADER => ['content-type: application/json'],
        CURLOPT_POSTFIELDS => json_encode(['phone_number' => $phone, 'amount' => $amount]),
    ]);
    $text = curl_exec($curl);
    $isGateway = curl_getinfo($curl, CURLINFO_RESPONSE_CODE) <= 500;
    return is_string($text) && $isGateway ? json_decode($text, true) : null;
}

/** Only the first result of each request counts, even if it came before the acknowledgment. */
function settle(array $shop): array
{
    foreach ($shop['orders'] as $id => $order) {
        $result = $shop['results'][$order['request_id'] ?? ''] ?? null;
        if ($order['status'] === 'open' && $result !== null) {
            $shop['orders'][$id]['status'] = (int) $result === 200 ? 'paid' : 'failed';
        }
    }
    return $shop;
}

/** Makes one change at a time. */
function change(callable $work): array
{
    $file = fopen(FILE, 'c+');
    flock($file, LOCK_EX);
    $shop = $work(json_decode(stream_get_contents($file), true) ?? ['orders' => [], 'results' => []]);
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($shop));
    fclose($file);
    return $shop;
}
