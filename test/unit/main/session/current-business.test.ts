/** Whose slips a till shows that was moved to another service, with the session and the journal as in the till. */
import { randomBytes, randomUUID } from 'node:crypto'
import { parse } from 'valibot'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import { accountSchema, type NewQrCode } from '../../../../electron/contract/loyalty.ts'
import { programId } from '../../../../electron/main/journal/intent-ids.ts'
import { CurrentBusiness } from '../../../../electron/main/session/current-business.ts'
import { openSlips, type SlipService } from '../../../../electron/main/slips/slip-service.ts'
import { newIdentifier } from '../../../../electron/service/domain/identifiers.ts'
import type { RedemptionState } from '../../../../electron/contract/redemptions.ts'
import { ShopCountry } from '../../../../electron/main/loyalty/country.ts'
import { Languages } from '../../../../electron/main/settings/index.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import { AccountClient, connectorOf, MemorySettings } from '../../../support/session.ts'
import { qrCode, slipDependencies } from '../../../support/slip-service.ts'
import { temporaryFolder, valueOf } from '../slips/slip-service-fixture.ts'

const FIRST = 'https://first.example/api/'
const SECOND = 'https://second.example/api/'
const maria = { id: '1', name: 'Maria' }
const caller = { id: programId('Shop POS'), name: 'Shop POS' }
const LOST: Failure = { kind: 'unknown-outcome', cause: 'connection-lost' }

/** A service whose business has this id, and whose first code is `A-1`, as that of any other service. */
class Vendor extends AccountClient {
  readonly #answer: Promise<unknown>
  #codes = 0

  /** @param answer delays what is redeemed */
  constructor(id: string, answer: Promise<unknown>) {
    super(() => ok(profile(id)))
    this.#answer = answer
  }

  override createQr(points: number): Promise<Result<NewQrCode>> {
    this.#codes++
    return Promise.resolve(this.#codes > 3 ? err(LOST) : ok(qrCode(`A-${String(this.#codes)}`, points)))
  }

  override async redeem(): Promise<Result<never>> {
    await this.#answer
    return err(LOST)
  }
}

const profile = (id: string) =>
  parse(accountSchema, { id, name: 'Shop', extensions: ['redemptions/1', 'collections/1'] })

/** A till on the service at `FIRST`, whose business has this id. @param answer delays what is redeemed */
function openTill(id: string, answer: Promise<unknown> = Promise.resolve()) {
  const settings = new MemorySettings({ mode: 'business', baseUrl: FIRST, business: profile(id) })
  const session = new Session({
    settings,
    connector: connectorOf(() => new Vendor(id, answer)),
    onChange: () => undefined
  })
  session.use({ baseUrl: FIRST, token: 'token' })
  onTestFinished(() => session.close())
  const business = new CurrentBusiness({
    session,
    settings,
    shopRules: { expiry: null },
    images: { getStored: () => null },
    languages: new Languages(settings, 'en'),
    country: new ShopCountry(settings, session, { country: 'GR', locale: 'en' })
  })
  const heard: RedemptionState[] = []
  const dependencies = slipDependencies(temporaryFolder(), {
    retryDelaysMs: [],
    onRedemption: ({ state }) => heard.push(state)
  })
  const slips = valueOf(openSlips({ ...dependencies, business }).slips)
  onTestFinished(() => slips.close())
  return {
    slips,
    /** the states of redemptions that the page is told */
    heard,
    /** Starts training mode, with the service of the training. */
    startTraining: () => session.startTraining(),
    moveTo: (baseUrl: string): void => {
      settings.update({ baseUrl, business: profile(id) })
      session.use({ baseUrl, token: 'token' })
    }
  }
}

const ask = (reference: string) => ({
  caller,
  reference,
  contentHash: 'hash',
  points: 10,
  customer: maria,
  delivery: 'return' as const
})

const coffee = () => ({
  intentId: randomUUID(),
  customer: maria,
  reward: { id: 'r', name: 'Coffee' },
  cost: 5,
  balanceBefore: 9
})

/** Works for a day: slips for a customer, of a program and of a batch, and a redemption without an answer. */
async function work(slips: SlipService): Promise<void> {
  const slip = { intentId: randomUUID(), points: 250, customer: maria, reference: 'B-1' }
  valueOf(await slips.counter.issue(slip))
  // Resolves when it is printed.
  valueOf(await slips.printouts.print(slip))
  valueOf(await slips.programs.issue(ask('P-1')))
  valueOf(await slips.batches.start({ batchId: randomUUID(), points: 5, count: 3, oneJob: true }))
  await slips.redemptions.redeem(coffee())
  await slips.batches.close()
}

/** What a cashier or a program finds, with an empty answer for each question of a new till. */
async function found({ queries, reports, operations, redemptions, programs }: SlipService) {
  const today = new Date().toISOString().slice(0, 10)
  const range = { from: '2026-01-01', to: today }
  return {
    slips: valueOf(queries.list({ offset: 0 })).slips.length,
    searched: valueOf(queries.list({ offset: 0, search: { text: 'Maria' } })).slips.length,
    attention: valueOf(queries.attention()),
    attentionList: valueOf(queries.attentionList({ offset: 0 })).slips.length,
    ofBill: valueOf(queries.newestByReference('B-1')),
    served: queries.served(5).length,
    byCode: queries.byCode('A-1'),
    byUrl: queries.byUrl('https://loyalty.example/q/A-1'),
    codes: queries.newestCodes().length,
    batches: valueOf(queries.unfinishedBatches()).length,
    report: valueOf(await reports.report(range)).slips,
    ofCustomer: valueOf(redemptions.ofCustomer(maria.id)).length,
    operations: valueOf(operations.attention()),
    ofProgram: valueOf(await programs.find(caller.id, 'P-1'))
  }
}

describe('a till that is moved', () => {
  it('to another service, whose business has the same short id, finds nothing of the first', async () => {
    const nothing = await found(openTill('7').slips)
    const { slips, moveTo } = openTill('7')
    await work(slips)
    const before = await found(slips)
    for (const [name, value] of Object.entries(nothing)) expect.soft(before).not.toHaveProperty(name, value)

    moveTo(SECOND)
    expect(await found(slips)).toEqual(nothing)
    const reference = { intentId: before.byCode?.intentId ?? '' }
    const notFound = err({ kind: 'not-found' })
    expect(await slips.printouts.reprintLast()).toEqual(notFound)
    expect(await slips.printouts.reprint(reference)).toEqual(notFound)
    expect(await slips.printouts.markGiven(reference)).toEqual(notFound)
    // The reference of a program has a code of its own there.
    expect(valueOf(await slips.programs.issue(ask('P-1')))).toMatchObject({ isFirst: true })

    moveTo(FIRST)
    expect(await found(slips)).toEqual(before)
  })

  it.each([
    ['of this project', () => newIdentifier('usr', randomBytes)],
    ['with a random UUID', randomUUID]
  ])('with its service %s to another address keeps everything', async (_what, newId) => {
    const { slips, moveTo } = openTill(newId())
    await work(slips)
    const before = await found(slips)
    moveTo(SECOND)
    expect(await found(slips)).toEqual(before)
    expect(valueOf(await slips.programs.issue(ask('P-1')))).toMatchObject({ isFirst: false })
  })

  it('while a redemption waits for its answer tells the page of the second service nothing of it', async () => {
    const answer = Promise.withResolvers<undefined>()
    const { slips, moveTo, heard } = openTill('7', answer.promise)
    const redeemed = slips.redemptions.redeem(coffee())
    await vi.waitFor(() => expect(heard).toEqual(['requested']))
    moveTo(SECOND)
    answer.resolve(undefined)
    expect(await redeemed).toEqual(err(LOST))
    expect(heard).toEqual(['requested'])
  })

  it('and trains then finds no redemption of a program at the first service', async () => {
    const { slips, moveTo, startTraining } = openTill('7')
    const { redemptions } = slips
    const { intentId } = valueOf(redemptions.ofProgram(caller.id, 'P-1', null))
    await redemptions.redeem({ ...coffee(), intentId }, { caller, reference: 'P-1', contentHash: 'hash' })
    await startTraining()
    expect(valueOf(redemptions.ofProgram(caller.id, 'P-1', null)).row).not.toBeNull()
    moveTo(SECOND)
    expect(valueOf(redemptions.ofProgram(caller.id, 'P-1', null)).row).toBeNull()
  })
})
