/** Handlers of `bridge.billLinks`: the bill that another program sent by a link, until the page takes it. */
import { parseBillLink, type BillLinkFault, type LinkedBill } from '../../contract/local-interface.ts'
import type { Api } from '../../contract/bridge.ts'
import { ok, type Result } from '../../contract/failure.ts'
import type { Slip } from '../../contract/slips.ts'
import type { Logger } from '../log/log.ts'
import { parsePhone } from '../../contract/phone.ts'
import type { Lazy } from '../lazy.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { ShopRules } from '../session/shop-rules.ts'
import type { DataOwner } from '../session/data-owners.ts'
import type { Session } from '../session/session.ts'
import type { SlipQueries } from '../slips/slip-queries.ts'
import type { Notices, StateChanges } from './app-state.ts'

interface BillLinksHandlersDependencies {
  readonly notices: Pick<Notices, 'add' | 'remove'>
  readonly session: Pick<Session, 'mode' | 'owner'>
  readonly shopRules: Pick<ShopRules, 'current'>
  readonly country: Pick<ShopCountry, 'code'>
  /** opens the journal of this till */
  readonly slips: Pick<Lazy<Result<{ readonly queries: Pick<SlipQueries, 'newestByReference'> }>>, 'get'>
  readonly changes: StateChanges
  readonly log: Logger
}

/** A bill that the page has not taken. */
interface WaitingBill {
  readonly bill: LinkedBill
  /** whose it was when it came; null on a till that is not set up: it is for the business that is connected next */
  readonly owner: DataOwner | null
}

/**
 * Keeps the last bill in memory while the page cannot take it: the till starts, is locked or not set up, or a slip is
 * being issued. A link that is refused, and a bill that is replaced by a newer one, becomes a notice. A bill that came for
 * another owner of the session is not offered.
 */
export class BillLinksHandlers implements Api<'billLinks'> {
  readonly #dependencies: BillLinksHandlersDependencies
  #waiting: WaitingBill | null = null

  constructor(dependencies: BillLinksHandlersDependencies) {
    this.#dependencies = dependencies
  }

  /** Whether a bill waits for the page. */
  get waiting(): boolean {
    return this.#current() !== null
  }

  #current(): LinkedBill | null {
    const { session } = this.#dependencies
    const { bill, owner } = this.#waiting ?? { bill: null, owner: null }
    return owner === null || owner === session.owner ? bill : null
  }

  /** Takes a link from the system. */
  receive(link: string): void {
    const { notices, session, changes, log } = this.#dependencies
    const bill = parseBillLink(link)
    if (typeof bill === 'string') {
      this.#refuse(bill)
      return
    }
    // A link holds a phone and a bill: only its parts are named.
    const parts = Object.entries(bill).flatMap(([name, value]) => (value === null ? [] : [name]))
    log.info('bill-link', { parts })
    notices.remove('bill-link-refused')
    const replaced = this.#current()
    this.#waiting = { bill, owner: session.mode === 'onboarding' ? null : session.owner }
    if (replaced && replaced.reference !== bill.reference) {
      notices.remove('bill-replaced')
      notices.add({ kind: 'bill-replaced', reference: replaced.reference })
    }
    changes.emitChanged()
  }

  async #issuedFor(reference: string): Promise<Result<Slip | null>> {
    const slips = await this.#dependencies.slips.get()
    return slips.ok ? slips.value.queries.newestByReference(reference) : slips
  }

  async take(): Promise<Result<{ bill: LinkedBill; issued: Slip | null } | null>> {
    const { shopRules, country, changes } = this.#dependencies
    const bill = this.#current()
    if (bill === null) return ok(null)
    const issued = bill.reference === null ? ok(null) : await this.#issuedFor(bill.reference)
    // It waits for another try when the journal cannot be read.
    if (!issued.ok) return issued
    // A newer link came meanwhile.
    if (this.#current() !== bill) return this.take()
    this.#waiting = null
    changes.emitChanged()
    const phone = bill.phone === null ? null : parsePhone(bill.phone, country.code)
    const rule = shopRules.current
    if (bill.phone !== null && phone === null) {
      this.#refuse('phone')
      return ok(null)
    }
    if (rule && bill.amount && bill.amount.currency !== rule.currency) {
      this.#refuse('other-currency')
      return ok(null)
    }
    return ok({ bill: { ...bill, phone: phone?.display ?? null }, issued: issued.value })
  }

  /** Says that the newest link was refused. */
  #refuse(fault: BillLinkFault): void {
    const { notices, log } = this.#dependencies
    log.warn('bill-link-refused', { fault })
    notices.remove('bill-link-refused')
    notices.add({ kind: 'bill-link-refused', fault })
  }
}
