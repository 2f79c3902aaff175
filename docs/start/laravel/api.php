<?php

// In a Laravel project, put these routes in routes/api.php, which has no CSRF protection. Their URLs then begin with /api.

use GuzzleHttp\Exception\TransferException;
use Illuminate\Http\Client\ConnectionException;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Route;

// The cache holds top-ups by their reference, and callbacks by the gateway's request_id. A real shop has a model for each.

Route::post('/top-ups', function (Request $request) {
    // As the gateway takes it (254712000001), however a customer types it: 0712 000 001, +254712000001.
    $phoneNumber = preg_replace(['/\D/', '/^0/'], ['', '254'], $request['phone_number']);
    $order = ['phone_number' => $phoneNumber, 'amount' => (string) $request['amount']];
    $topUp = ['reference' => $request['reference']] + $order + ['status' => 'unknown'];
    $key = "top-up:{$topUp['reference']}";
    // The same order again, such as a double click, gets the first answer.
    if (!Cache::add($key, $topUp, now()->addYear())) {
        return response()->json(Cache::get($key));
    }
    try {
        $answer = Http::withBasicAuth(env('KREDO_CONSUMER_KEY', 'sandbox-key'), env('KREDO_CONSUMER_SECRET', 'sandbox-secret'))
            ->timeout(10)
            ->post(env('KREDO_BASE_URL', 'http://127.0.0.1:8254/api/v2') . '/airtime', $order);
        if ($answer->json('status_code') === 200) {
            $topUp = [...$topUp, 'status' => 'sent', 'request_id' => $answer['request_id']];
        } elseif ($answer->json() !== null && $answer->status() <= 500) {
            // A 502, 503 or 504 comes from a proxy: the outcome is unknown.
            $topUp['status'] = 'refused';
        }
    } catch (ConnectionException | TransferException) {
        // ConnectionException alone does not catch a connection that broke after the request was sent.
        // No complete response: the outcome is unknown. Never send the order again; a person checks the balance.
    }
    Cache::forever($key, $topUp);
    return response()->json($topUp, 201);
});

Route::post('/hooks', function (Request $request) {
    $callback = json_decode($request->getContent(), true);
    // The first callback counts. It may come before the gateway's response to the order.
    Cache::add("callback:{$callback['request_id']}", $callback, now()->addYear());
    return response()->json([]);
});

Route::get('/top-ups/{reference}', function (string $reference) {
    $topUp = Cache::get("top-up:$reference");
    if ($topUp === null) {
        return response()->json([], 404);
    }
    $callback = $topUp['status'] === 'sent' ? Cache::get("callback:{$topUp['request_id']}") : null;
    $result = match ($callback['result_code'] ?? null) {
        null => [],
        200, '200' => ['status' => 'paid', 'charge' => $callback['charge']],
        default => ['status' => 'failed'],
    };
    return response()->json([...$topUp, ...$result]);
});
