<?php

// In a Laravel project, put these routes in routes/api.php, which has no CSRF protection. Their URLs then begin with /api.

use GuzzleHttp\Exception\TransferException;
use Illuminate\Http\Client\ConnectionException;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Route;

// region send
Route::post('/top-ups', function (Request $request) {
    $order = $request->only('phone_number', 'amount');
    try {
        $answer = Http::withBasicAuth(env('KREDO_CONSUMER_KEY', 'sandbox-key'), env('KREDO_CONSUMER_SECRET', 'sandbox-secret'))
            ->timeout(30)
            ->post(env('KREDO_BASE_URL', 'http://127.0.0.1:8254/api/v2') . '/airtime', $order);
    } catch (ConnectionException | TransferException) {
        // ConnectionException alone does not catch a connection that broke after the request was sent.
        // No response: the outcome is unknown. Never send the order again; check the balance later.
        return response()->json($order + ['status' => 'unknown'], 202);
    }
    if ($answer->status() !== 200) {
        // A refusal may have its validation_errors alone.
        return response()->json($order + ['status' => 'refused', 'refusal' => $answer->json()], 422);
    }
    // A real shop has a model for top-ups.
    $topUp = $order + ['status' => 'sent'];
    Cache::forever('top-ups', [...Cache::get('top-ups', []), $answer['request_id'] => $topUp]);
    return response()->json($topUp, 201);
});
// endregion

// region receive
Route::post('/hooks', function (Request $request) {
    $topUps = Cache::get('top-ups', []);
    $id = $request->input('request_id');
    // A repeated callback changes nothing.
    if (($topUps[$id]['status'] ?? null) === 'sent') {
        $isPaid = (int) $request->input('result_code') === 200;
        $topUps[$id] = [...$topUps[$id], ...($isPaid ? ['status' => 'paid', 'charge' => $request->input('charge')] : ['status' => 'failed'])];
        Cache::forever('top-ups', $topUps);
    }
    return response()->json([]);
});
// endregion

Route::get('/top-ups', fn () => response()->json(array_values(Cache::get('top-ups', []))));
