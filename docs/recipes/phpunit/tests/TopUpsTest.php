<?php

declare(strict_types=1);

namespace Shop\Tests;

use PHPUnit\Framework\TestCase;
use Shop\TopUps;

final class TopUpsTest extends TestCase
{
    private Account $account;
    private TopUps $topUps;

    protected function setUp(): void
    {
        $this->account = new Account();
        $this->topUps = new TopUps(getenv('KREDO_BASE_URL'), $this->account->key, $this->account->secret);
    }

    // region advance
    public function testKnowsWhatATopUpCostOnceItsCallbackHasCome(): void
    {
        $sold = $this->topUps->sell('254712345678', '100');

        array_map($this->topUps->report(...), $this->account->advance('5s'));

        self::assertSame(['paid' => true, 'charge' => 95.0], $this->topUps->reportOf($sold['request_id']));
        self::assertEquals(405, $this->account->call('GET', 'wallet')['available']);
    }
    // endregion

    // region lost
    public function testTakesALostAnswerForUnknownAndCountsTheCallbackThatComes(): void
    {
        $sold = $this->topUps->sell('254700000602', '100');

        array_map($this->topUps->report(...), $this->account->advance('5s'));

        self::assertSame(['outcome' => 'unknown'], $sold);
        self::assertSame(95.0, $this->topUps->spent());
        self::assertSame(1, $this->account->call('GET', 'requests/count?operation=airtime')['count']);
    }
    // endregion

    // region twice
    public function testBooksACallbackThatComesTwiceOnce(): void
    {
        $this->topUps->sell('254700000302', '100');

        $callbacks = $this->account->advance('1h');
        array_map($this->topUps->report(...), $callbacks);

        self::assertCount(2, $callbacks);
        self::assertSame(95.0, $this->topUps->spent());
    }
    // endregion

    public function testSaysWhyItWasRefused(): void
    {
        $sold = $this->topUps->sell('254700000402', '100');

        self::assertSame(['outcome' => 'refused', 'description' => 'Insufficient funds.'], $sold);
    }
}
