/** Handlers of `bridge.privacy`: what this till holds of a customer, and forgetting a customer. */
import { messagesByLanguage } from '../../../generated/messages/dialogs/all.js'
import type { Api } from '../../contract/bridge.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { CustomerReference, ForgettingProgress, ForgettingResult } from '../../contract/privacy.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import type { Images } from '../images/images.ts'
import type { Logger } from '../log/log.ts'
import type { CustomerData } from '../upkeep/customer-data.ts'
import type { Lazy } from '../lazy.ts'
import type { RecentCustomers } from '../session/recent-customers.ts'
import type { Session } from '../session/session.ts'
import type { Languages } from '../settings/index.ts'
import type { Scope } from '../journal/rows.ts'
import type { SlipService } from '../slips/slip-service.ts'
import type { AskWhereToSave } from './slips.ts'
import type { CheckoutDrafts } from './till.ts'

export interface PrivacyHandlersDependencies {
  readonly customerData: Pick<Lazy<Pick<CustomerData, 'exportTo' | 'remove'>>, 'get'>
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'pendingWork'>>>, 'opened' | 'whileClosed'>
  /** serves the customers that the page shows */
  readonly session: Pick<Session, 'mode' | 'journalBusinessId'>
  readonly recent: Pick<RecentCustomers, 'find' | 'standingOf' | 'forget'>
  readonly images: Pick<Images, 'forget'>
  readonly display: Pick<CustomerDisplay, 'forgetCustomer'>
  readonly drafts: Pick<CheckoutDrafts, 'forgetCustomer'>
  readonly askWhereToSave: AskWhereToSave
  /** of what the exported file says about itself */
  readonly languages: Pick<Languages, 'screen'>
  readonly sendProgress: (progress: ForgettingProgress) => void
  readonly log: Logger
}

export class PrivacyHandlers implements Api<'privacy'> {
  readonly #dependencies: PrivacyHandlersDependencies

  constructor(dependencies: PrivacyHandlersDependencies) {
    this.#dependencies = dependencies
  }

  async exportCustomer(customer: CustomerReference): Promise<Result<{ readonly file: string | null }>> {
    const { customerData, recent, askWhereToSave, languages, log } = this.#dependencies
    const current = this.#scope()
    if (current === null) return err({ kind: 'not-connected' })
    const createdAt = new Date().toISOString()
    const known = recent.find(customer.id)
    const memory = known && { ...known, standing: recent.standingOf(customer.id) }
    const file = await askWhereToSave(`customer data ${createdAt.slice(0, 10)}.json`)
    if (file === null) return ok({ file })
    try {
      const data = await customerData.get()
      const about = messagesByLanguage[languages.screen].customerData()
      await data.exportTo(file, current, customer, { about, createdAt, memory })
      return ok({ file })
    } catch (error) {
      log.error('customer-data-not-exported', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  async forgetCustomer(customer: CustomerReference): Promise<Result<ForgettingResult>> {
    const { customerData, slips, sendProgress } = this.#dependencies
    const current = this.#scope()
    if (current === null) return err({ kind: 'not-connected' })
    const pending = slips.opened?.ok === true ? slips.opened.value.pendingWork() : null
    if (pending !== null) return ok({ kind: 'wait', for: pending })
    this.#forgetInMemory(customer.id)
    const data = await customerData.get()
    return ok(await slips.whileClosed(() => data.remove(current, customer, sendProgress)))
  }

  #scope(): Scope | null {
    const { mode, journalBusinessId: businessId } = this.#dependencies.session
    return businessId === null ? null : { training: mode === 'training', businessId }
  }

  #forgetInMemory(id: string): void {
    const { recent, images, display, drafts } = this.#dependencies
    const avatar = recent.find(id)?.avatar ?? null
    if (avatar !== null) images.forget(avatar)
    recent.forget(id)
    display.forgetCustomer(id)
    drafts.forgetCustomer(id)
  }
}
