/** What a cashier, the machine and the world around a till do. */
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import type { DeliveryMethod } from '../../electron/contract/settings.ts'
import type { Slip } from '../../electron/contract/slips.ts'
import type { SlipService } from '../../electron/main/slips/slip-service.ts'
import { PRINTER_FAULTS, type PrinterFault } from './printer.ts'
import { BUSINESSES, SERVICE_FAULTS, type ServiceFault } from './service.ts'
import { violationsOf } from './invariants.ts'
import { knownTransitions } from './state-machine.ts'
import { DISK_FAULTS, type DiskFault, type World } from './world.ts'

/** Intents, batches and points that were used so far: what a page and a cashier remember. */
export class Cashier {
  points = 0
  /** intents that the page still has */
  readonly intents: { readonly intentId: string; readonly points: number }[] = []
  readonly batchIds: string[] = []
}

type Run = (world: World, cashier: Cashier) => Promise<void> | void

/** Thrown when an invariant is violated. */
class ViolationError extends Error {
  override readonly name = 'ViolationError'
}

/** A command: runs, waits until the till is idle or waits, and checks the invariants. */
export class Command implements fc.AsyncCommand<Cashier, World> {
  readonly #name: string
  readonly #run: Run

  constructor(name: string, run: Run) {
    this.#name = name
    this.#run = run
  }

  check(): boolean {
    return true
  }

  async run(cashier: Cashier, world: World): Promise<void> {
    await this.#run(world, cashier)
    await world.settle()
    const violations = violationsOf(world, knownTransitions)
    if (Object.keys(violations).length > 0) {
      throw new ViolationError(`After ${this.#name}: ${JSON.stringify(violations, null, 2)}`)
    }
  }

  toString(): string {
    return this.#name
  }
}

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length]

/** A new slip of the counter; `presses` calls at once. */
export const issue = (copies: number, presses: number, place = 0): Command =>
  new Command(`issue(${String(copies)}, ${String(presses)}, ${String(place)})`, (world, cashier) => {
    const slips = world.till(place)
    cashier.points += 1
    const request = { intentId: randomUUID(), points: cashier.points }
    cashier.intents.push(request)
    // A slip on the display is printed on request only, and then once.
    world.reality.copies.set(cashier.points, world.deliveryMethod === 'show' ? 1 : copies)
    for (let press = 0; slips !== null && press < presses; press++) {
      world.start(slips.counter.issue({ ...request, customer: null, copies }))
    }
  })

/** The page calls again with an intent that it has. */
export const issueAgain = (index: number, place = 0): Command =>
  new Command(`issueAgain(${String(index)}, ${String(place)})`, (world, cashier) => {
    const intent = pick(cashier.intents, index)
    const slips = world.till(place)
    if (intent !== undefined && slips !== null)
      world.start(slips.counter.issue({ ...intent, customer: null }))
  })

/** The till asks for the answers that were lost. */
export const askForLost = (place = 0): Command =>
  new Command(`askForLost(${String(place)})`, (world) => {
    const slips = world.till(place)
    if (slips !== null) world.start(slips.lostAnswers.askAll())
  })

/** Whether a careful cashier prints: the paper is not there already. */
const mayPrint = (world: World, { state, failure, code }: Slip): boolean =>
  !(
    state === 'print-failed' &&
    (failure?.kind === 'unknown-outcome' || (failure?.kind === 'not-printed' && failure.mayStillPrint)) &&
    code !== null &&
    world.isOnPaper(code)
  )

/** Prints a slip of which no paper is there, and checks that all its printouts come out when nothing hinders them. */
async function printNow(world: World, slips: SlipService, { intentId, code, points }: Slip): Promise<void> {
  const wanted = world.reality.copies.get(points) ?? 1
  world.start(slips.printouts.print({ intentId }))
  await world.settle()
  const isHindered = world.printer.fault !== 'none' || world.isDiskFull || !world.isIdle
  const count = world.papers().filter((paper) => paper.code === code).length
  if (!isHindered && count > 0 && count < wanted) {
    world.reality.violations.push(`${String(code)} has ${String(count)} of ${String(wanted)} printouts`)
  }
}

/** Resolves an entry of *Needs attention* as the till proposes. */
export const resolveAttention = (index: number, place = 0): Command =>
  new Command(`resolveAttention(${String(index)}, ${String(place)})`, async (world) => {
    const slips = world.till(place)
    if (slips === null) return
    const list = slips.queries.attentionList({ offset: 0 })
    const found = list.ok ? pick(list.value.slips, index) : undefined
    if (found === undefined) return
    const { slip, action } = found
    if (action === 'ask') world.start(slips.lostAnswers.askAll())
    else if (action === 'discard')
      await slips.printouts.discard({ intentId: slip.intentId, reason: 'Unknown' })
    else if (mayPrint(world, slip)) await printNow(world, slips, slip)
    else await slips.printouts.markGiven({ intentId: slip.intentId })
  })

const HISTORY_ACTIONS = ['print', 'reprint', 'reprintLast', 'given', 'discard'] as const
export type HistoryAction = (typeof HISTORY_ACTIONS)[number]

/** What a cashier can do with any slip of the list. */
export const actOnSlip = (action: HistoryAction, index: number, place = 0): Command =>
  new Command(`actOnSlip('${action}', ${String(index)}, ${String(place)})`, async (world) => {
    const slips = world.till(place)
    if (slips === null) return
    const list = slips.queries.list({ offset: 0 })
    const slip = list.ok ? pick(list.value.slips, action === 'reprintLast' ? 0 : index) : undefined
    if (slip === undefined) return
    const { intentId, code } = slip
    switch (action) {
      case 'print':
        if (mayPrint(world, slip)) world.start(slips.printouts.print({ intentId }))
        break
      case 'reprint':
        if (mayPrint(world, slip)) world.start(slips.printouts.reprint({ intentId }))
        break
      case 'reprintLast':
        if (list.ok && list.value.slips.every((one) => mayPrint(world, one)))
          world.start(slips.printouts.reprintLast())
        break
      case 'given':
        await slips.printouts.markGiven({ intentId })
        break
      case 'discard':
        if (code === null || !world.isOnPaper(code))
          await slips.printouts.discard({ intentId, reason: 'Typed wrong' })
    }
  })

/** A new batch. */
export const startBatch = (count: number, oneJob: boolean, place = 0): Command =>
  new Command(`startBatch(${String(count)}, ${String(oneJob)}, ${String(place)})`, (world, cashier) => {
    const slips = world.till(place)
    cashier.points += 1
    const { points } = cashier
    const batchId = randomUUID()
    cashier.batchIds.push(batchId)
    world.reality.batches.set(points, { batchId, count })
    if (slips !== null) world.start(slips.batches.start({ batchId, points, count, oneJob }))
  })

const BATCH_ACTIONS = [
  'pause',
  'resume',
  'resume-again',
  'cancel-print',
  'cancel-discard',
  'print-rest'
] as const
export type BatchAction = (typeof BATCH_ACTIONS)[number]

/** What a cashier can do with a batch. One who prints the rest has looked at the printer before. */
export const actOnBatch = (action: BatchAction, index: number, place = 0): Command =>
  new Command(`actOnBatch('${action}', ${String(index)}, ${String(place)})`, async (world, cashier) => {
    const slips = world.till(place)
    const batchId = pick(cashier.batchIds, index)
    if (batchId === undefined || slips === null) return
    const { batches } = slips
    if (action === 'cancel-print' || action === 'cancel-discard' || action === 'print-rest') {
      const list = slips.queries.list({ offset: 0, search: { batchId, states: ['print-failed'] } })
      for (const slip of list.ok ? list.value.slips : []) {
        if (!mayPrint(world, slip)) await slips.printouts.markGiven({ intentId: slip.intentId })
      }
    }
    switch (action) {
      case 'pause':
        world.start(batches.pause({ batchId }))
        break
      case 'resume':
      case 'resume-again':
        world.start(batches.resume({ batchId, issueUnknownAgain: action === 'resume-again' }))
        break
      case 'cancel-print':
      case 'cancel-discard':
        world.start(batches.cancel({ batchId, unprinted: action === 'cancel-print' ? 'print' : 'discard' }))
        break
      case 'print-rest':
        world.start(batches.printRest({ batchId }))
    }
  })

export const setService = (fault: ServiceFault): Command =>
  new Command(`setService('${fault}')`, (world) => {
    world.line.fault = fault
  })

export const setPrinter = (fault: PrinterFault): Command =>
  new Command(`setPrinter('${fault}')`, (world) => {
    world.printer.fault = fault
  })

export const setDisk = (fault: DiskFault): Command =>
  new Command(`setDisk('${fault}')`, (world) => {
    world.setDisk(fault)
  })

/** What was held goes on. */
export const release = (): Command => new Command('release()', (world) => world.release())

/** The settings of the till. */
export const setDelivery = (method: DeliveryMethod, isFolder: boolean, oneJob: boolean): Command =>
  new Command(`setDelivery('${method}', ${String(isFolder)}, ${String(oneJob)})`, (world) => {
    world.deliveryMethod = method
    world.destination = isFolder ? { kind: 'folder' } : { kind: 'queue', name: 'Counter' }
    world.oneJob = oneJob
  })

/** The clock of the system is set. */
const moveClock = (hours: number): Command =>
  new Command(`moveClock(${String(hours)})`, (world) => {
    world.now = new Date(world.now.getTime() + hours * 3_600_000)
  })

/** The manager connects the till to another business, or switches training mode on. */
const switchBusiness = (index: number): Command =>
  new Command(`switchBusiness(${String(index)})`, (world) => {
    world.business = pick(BUSINESSES, index) ?? world.business
  })

/** All processes are killed, and a till starts. */
export const kill = (): Command => new Command('kill()', (world) => world.kill())

/** The till is closed and started. */
export const restart = (): Command =>
  new Command('restart()', async (world) => {
    await world.closeTills()
    world.openTill()
  })

export const openSecondTill = (): Command =>
  new Command('openSecondTill()', (world) => {
    if (world.tills.length < 2) world.openTill()
  })

const closeSecondTill = (): Command => new Command('closeSecondTill()', (world) => world.closeSecondTill())

/** The daily backup. */
export const backUp = (): Command => new Command('backUp()', (world) => world.backUp())

/** The manager restores the newest backup. The page forgets its forms: the till was closed. */
export const restore = (): Command =>
  new Command('restore()', async (world, cashier) => {
    if (await world.restore()) cashier.intents.length = 0
  })

const place = fc.constantFrom(0, 0, 0, 1)
const index = fc.nat({ max: 5 })
const ISSUE = fc
  .tuple(fc.constantFrom(1, 1, 3), fc.constantFrom(1, 1, 2), place)
  .map((values) => issue(...values))
const ACT = fc.tuple(fc.constantFrom(...HISTORY_ACTIONS), index, place).map((values) => actOnSlip(...values))
const BATCH = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.boolean(), place)
  .map((values) => startBatch(...values))
const ACT_ON_BATCH = fc
  .tuple(fc.constantFrom(...BATCH_ACTIONS), index, place)
  .map((values) => actOnBatch(...values))

/** All commands, the frequent ones more than once. */
export const COMMANDS: readonly fc.Arbitrary<Command>[] = [
  ISSUE,
  ISSUE,
  ISSUE,
  fc.tuple(index, place).map((values) => issueAgain(...values)),
  fc.tuple(place).map((values) => askForLost(...values)),
  fc.tuple(index, place).map((values) => resolveAttention(...values)),
  fc.tuple(index, place).map((values) => resolveAttention(...values)),
  ACT,
  ACT,
  BATCH,
  ACT_ON_BATCH,
  ACT_ON_BATCH,
  fc.tuple(fc.constantFrom(...SERVICE_FAULTS)).map((values) => setService(...values)),
  fc.tuple(fc.constantFrom(...SERVICE_FAULTS)).map((values) => setService(...values)),
  fc.tuple(fc.constantFrom(...PRINTER_FAULTS)).map((values) => setPrinter(...values)),
  fc.tuple(fc.constantFrom(...PRINTER_FAULTS)).map((values) => setPrinter(...values)),
  fc.tuple(fc.constantFrom(...DISK_FAULTS, 'none', 'none')).map((values) => setDisk(...values)),
  fc.constant(null).map(release),
  fc.constant(null).map(release),
  fc
    .tuple(fc.constantFrom('print', 'show', 'both'), fc.boolean(), fc.boolean())
    .map((values) => setDelivery(...values)),
  fc.tuple(fc.constantFrom(1, -1, 24, -24, 24 * 3650, -24 * 3650)).map((values) => moveClock(...values)),
  fc.tuple(fc.nat({ max: 2 })).map((values) => switchBusiness(...values)),
  fc.constant(null).map(kill),
  fc.constant(null).map(restart),
  fc.constant(null).map(openSecondTill),
  fc.constant(null).map(closeSecondTill),
  fc.constant(null).map(backUp),
  fc.constant(null).map(restore)
]
