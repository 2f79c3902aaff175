<?php

declare(strict_types=1);

namespace Shop\Tests;

use Kredo\Account;
use Kredo\Sandbox;
use PHPUnit\Framework\TestCase;
use Shop\TopUps;

final class TopUpsTest extends TestCase
{
    // region account
    private Account $account;
    private TopUps $topUps;

    protected function setUp(): void
    {
        $this->account = Sandbox::connect()->openAccount([
            'balance' => '500.00',
            'clock' => 'manual',
            'callbacks' => ['airtime' => 'kredo:sink'],
        ]);
        $this->topUps = new TopUps($this->account->baseUrl, $this->account->key, $this->account->secret);
    }
    // endregion

    public function testKnowsTheChargeOnceTheCallbackHasArrived(): void
    {
        $sold = $this->topUps->sell('254712345678', '100');

        foreach ($this->account->advance('5s') as $attempt) {
            $this->topUps->report(json_decode($attempt['body'], true));
        }

        self::assertSame(['paid' => true, 'charge' => 95.0], $this->topUps->reportOf($sold['request_id']));
        self::assertEquals(405, $this->account->wallet()['available']);
    }

    // region lost
    public function testTreatsALostResponseAsUnknownAndStillBooksTheCallback(): void
    {
        $sold = $this->topUps->sell('254700000602', '100');

        foreach ($this->account->advance('5s') as $attempt) {
            $this->topUps->report(json_decode($attempt['body'], true));
        }

        self::assertSame(['outcome' => 'unknown'], $sold);
        self::assertSame(95.0, $this->topUps->spent());
        self::assertSame(1, $this->account->countRequests(['operation' => 'airtime']));
    }
    // endregion

    public function testBooksARepeatedCallbackOnlyOnce(): void
    {
        $this->topUps->sell('254700000302', '100');

        $attempts = $this->account->advance('1h');
        foreach ($attempts as $attempt) {
            $this->topUps->report(json_decode($attempt['body'], true));
        }

        self::assertCount(2, $attempts);
        self::assertSame(95.0, $this->topUps->spent());
    }

    public function testSaysWhyItWasRefused(): void
    {
        $sold = $this->topUps->sell('254700000402', '100');

        self::assertSame(['outcome' => 'refused', 'description' => 'Insufficient funds.'], $sold);
    }
}
