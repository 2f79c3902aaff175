<?php

declare(strict_types=1);

// Start it with: PHP_CLI_SERVER_WORKERS=4 php -S localhost:3000 server.php

/** Changes and returns one of the two tables: top-ups by their reference, and callbacks by the gateway's request_id. A real shop has a database. */
function table(string $name, ?callable $change = null): array
{
    $file = fopen(__DIR__ . "/$name.json", 'c+');
    flock($file, LOCK_EX);
    $rows = json_decode(stream_get_contents($file) ?: '[]', true);
    if ($change !== null) {
        $rows = $change($rows);
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, json_encode($rows));
    }
    return $rows;
}

function answer(int $status, array $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body);
}

/** Writes a number as the gateway takes it (254712000001), however a customer types it: 0712 000 001, +254712000001. */
function international(string $typed): string
{
    return preg_replace(['/\D/', '/^0/'], ['', '254'], $typed);
}

function sell(array $order): void
{
    $reference = $order['reference'];
    $topUp = ['reference' => $reference, 'phone_number' => international((string) $order['phone_number']), 'amount' => (string) $order['amount'], 'status' => 'unknown'];
    $isNew = false;
    $all = table('top-ups', function (array $all) use ($reference, $topUp, &$isNew) {
        $isNew = !isset($all[$reference]);
        return $all + [$reference => $topUp];
    });
    // The same order again, such as a double click, gets the first answer.
    if (!$isNew) {
        answer(200, $all[$reference]);
        return;
    }
    $call = curl_init((getenv('KREDO_BASE_URL') ?: 'http://127.0.0.1:8254/api/v2') . '/airtime');
    curl_setopt_array($call, [
        CURLOPT_POSTFIELDS => json_encode(['phone_number' => $topUp['phone_number'], 'amount' => $topUp['amount']]),
        CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        CURLOPT_USERPWD => (getenv('KREDO_CONSUMER_KEY') ?: 'sandbox-key') . ':' . (getenv('KREDO_CONSUMER_SECRET') ?: 'sandbox-secret'),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    $body = json_decode((string) curl_exec($call), true);
    if (($body['status_code'] ?? null) === 200) {
        $outcome = ['status' => 'sent', 'request_id' => $body['request_id']];
    } elseif (is_array($body) && curl_getinfo($call, CURLINFO_RESPONSE_CODE) <= 500) {
        $outcome = ['status' => 'refused'];
    } else {
        // No complete response, or a proxy's: the outcome is unknown. Never send the order again; a person checks the balance.
        $outcome = [];
    }
    answer(201, table('top-ups', fn (array $all) => array_replace_recursive($all, [$reference => $outcome]))[$reference]);
}

function receive(array $callback): void
{
    // The first callback counts. It may come before the gateway's response to the order.
    table('callbacks', fn (array $all) => $all + [$callback['request_id'] => $callback]);
    answer(200, []);
}

function show(string $reference): void
{
    $topUp = table('top-ups')[$reference] ?? null;
    if ($topUp === null) {
        answer(404, []);
        return;
    }
    $callback = $topUp['status'] === 'sent' ? table('callbacks')[$topUp['request_id']] ?? null : null;
    $result = match ($callback['result_code'] ?? null) {
        null => [],
        200, '200' => ['status' => 'paid', 'charge' => $callback['charge']],
        default => ['status' => 'failed'],
    };
    answer(200, array_merge($topUp, $result));
}

$body = json_decode(file_get_contents('php://input'), true) ?? [];
[, $path, $reference] = explode('/', $_SERVER['REQUEST_URI'] . '/');
match ("{$_SERVER['REQUEST_METHOD']} $path") {
    'POST top-ups' => sell($body),
    'POST hooks' => receive($body),
    'GET top-ups' => show($reference),
    default => answer(404, []),
};
