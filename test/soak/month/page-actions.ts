/** What happens at the till, in its page: customers are served by hand, and the rest through the bridge. */

export interface PageActions {
  /** Sets up a cashier and a manager with PINs, the customer display, and how long PDFs stay. */
  setUp(pins: { readonly cashier: string; readonly manager: string }): Promise<void>
  /** Finds a customer on the screen, types the points and prints. Resolves when the slip is printed. */
  serve(phone: string, points: number): Promise<void>
  /** Issues and prints a slip without the screen. */
  issue(points: number): Promise<void>
  lookUp(text: string): Promise<void>
  /** Shows each screen, and the till again. */
  visitScreens(): Promise<void>
  lock(): Promise<void>
  /** Unlocks the till on its lock screen, as the only cashier. */
  unlock(pin: string): Promise<void>
  /** Runs a batch of the manager, and resolves when its slips are printed. */
  runBatch(pin: string, points: number, count: number): Promise<void>
  /** Reprints the last slip, prints the report of a day and checks a code. */
  closeDay(day: string): Promise<void>
  /** Looks a customer up while the network is down. */
  lookUpOffline(): Promise<void>
  reconnect(): Promise<void>
  /** Resolves with whether the till is locked, and whether the manager session is open. */
  staff(): Promise<{ readonly locked: boolean; readonly manager: string }>
  /** Resolves with the report of a day. */
  report(day: string): Promise<{ readonly slips: number; readonly points: number; readonly hours: number }>
}

/** Refers to nothing outside, so that its source can be evaluated in the page. */
export function createPageActions(): PageActions {
  /** For what never comes, not for what is slow. */
  const TIMEOUT_MS = 50_000
  const bridge = window.tillpoints
  if (!bridge) throw new Error('The page has no bridge')

  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  const until = async <Value>(what: string, find: () => Value | null | undefined | false): Promise<Value> => {
    for (let waited = 0; waited < TIMEOUT_MS; waited += 10) {
      const found = find()
      if (found !== null && found !== undefined && found !== false) return found
      await wait(10)
    }
    throw new Error(`Missing: ${what}, in: ${document.body.innerText.slice(0, 300)}`)
  }
  const element = <Found extends HTMLElement>(selector: string): Promise<Found> =>
    until(selector, () => document.querySelector<Found>(selector))
  const type = (field: HTMLInputElement, text: string): void => {
    field.focus()
    field.value = text
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const valueOf = async <Value>(
    call: Promise<
      { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: unknown }
    >
  ): Promise<Value> => {
    const result = await call
    if (!result.ok) throw new Error(`Failed: ${JSON.stringify(result.failure)}`)
    return result.value
  }
  const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('nav a[href]')]
  const show = async (link: HTMLElement): Promise<void> => {
    link.click()
    await until('the screen', () => link.getAttribute('aria-current') === 'page')
    // The screen reads its data, then shows it: what it shows for the first time stays in memory as templates.
    let idlePolls = 0
    await until('the data of the screen', () => {
      idlePolls = document.querySelector('main [aria-busy="true"]') === null ? idlePolls + 1 : 0
      return idlePolls === 10
    })
  }

  return {
    async setUp({ cashier, manager }) {
      while ((await valueOf(bridge.till.state())).business === null) await wait(20)
      await valueOf(bridge.staff.addCashier({ name: 'Anna', pin: cashier }))
      await valueOf(bridge.staff.setManagerPin({ current: null, pin: manager }))
      await valueOf(
        bridge.till.set({
          lockAfterMinutes: 120,
          customerDisplay: { shown: true, screenId: null },
          deliveryMethod: 'both',
          retention: { pdfs: 7, names: 90, quarantinedJournals: 90, slips: null }
        })
      )
      await valueOf(bridge.staff.lock())
    },
    async serve(phone, points) {
      const till = await until('the navigation', () => links()[0])
      if (till.getAttribute('aria-current') !== 'page') await show(till)
      type(await element<HTMLInputElement>('input[data-home]'), phone)
      ;(await element('.results .list-row')).click()
      const field = await element<HTMLInputElement>('#points')
      type(field, String(points))
      ;(await element('[data-tour="print"]:not(:disabled)')).click()
      await until(
        'the end of the print',
        () => document.querySelector<HTMLInputElement>('#points')?.value === ''
      )
      for (;;) {
        const [slip] = (await valueOf(bridge.slips.list({ offset: 0 }))).slips
        if (slip?.points === points && slip.state === 'printed') return
        if (slip?.state === 'print-failed') throw new Error('The slip was not printed')
        await wait(10)
      }
    },
    async issue(points) {
      const intentId = crypto.randomUUID()
      await valueOf(bridge.slips.issue({ intentId, points, customer: null }))
      await valueOf(bridge.slips.print({ intentId }))
      await valueOf(bridge.staff.active())
    },
    async lookUp(text) {
      await valueOf(bridge.customers.find({ box: 'till', text, page: 1 }))
    },
    async visitScreens() {
      for (const link of [...links(), ...links().slice(0, 1)]) await show(link)
    },
    async lock() {
      await valueOf(bridge.staff.lock())
    },
    async unlock(pin) {
      ;(await element('dialog button.cashier')).click()
      const field = await element<HTMLInputElement>('dialog input[type="password"]')
      type(field, pin)
      field.form?.requestSubmit()
      await until(
        'the unlocked till',
        () => document.querySelector('dialog[aria-labelledby="locked"]') === null
      )
    },
    async runBatch(pin, points, count) {
      await valueOf(bridge.staff.unlockManager({ pin }))
      await valueOf(bridge.batches.start({ batchId: crypto.randomUUID(), points, count, oneJob: false }))
      while ((await valueOf(bridge.batches.unfinished())).length > 0) await wait(20)
    },
    async closeDay(day) {
      const { slip } = await valueOf(bridge.slips.reprintLast())
      await valueOf(bridge.slips.printReport({ from: day, to: day }))
      await valueOf(bridge.slips.check({ code: slip.code ?? '' }))
    },
    async lookUpOffline() {
      const found = await bridge.customers.find({ box: 'till', text: 'Maria', page: 1 })
      // Whom the till saw lately is found, and said to be old.
      const isOld = found.ok && found.value.kind === 'customers' && found.value.isOld
      if (found.ok && !isOld) throw new Error('The network is down, and the look-up succeeded')
    },
    async reconnect() {
      const { offlineSince } = await valueOf(bridge.connection.retryConnection())
      if (offlineSince !== null) throw new Error('The till is still offline')
    },
    async staff() {
      const { staff } = await valueOf(bridge.till.state())
      return { locked: staff.locked, manager: staff.manager }
    },
    async report(day) {
      const { slips, points, buckets } = await valueOf(bridge.slips.report({ from: day, to: day }))
      return { slips, points, hours: buckets.length }
    }
  }
}
