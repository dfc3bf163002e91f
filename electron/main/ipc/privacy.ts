/** Handlers of `bridge.privacy`: what this till holds of a customer, and forgetting a customer. */
import type { PrivacyApi } from '../../contract/bridge.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { CustomerReference, ForgettingProgress, ForgettingResult } from '../../contract/privacy.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import type { Images } from '../images/images.ts'
import type { Logger } from '../log/log.ts'
import type { CustomerData } from '../privacy/customer-data.ts'
import type { RecentCustomers } from '../session/recent-customers.ts'
import type { Lazy } from '../lazy.ts'
import type { SlipService } from '../slips/slip-service.ts'
import type { AskWhereToSave } from './slips.ts'
import type { CheckoutDrafts } from './till.ts'

export interface PrivacyHandlersDependencies {
  readonly customerData: () => Promise<CustomerData>
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'pendingWork'>>>, 'opened' | 'whileClosed'>
  /** of the customers that the page shows; null: none */
  readonly scope: () => { readonly training: boolean; readonly businessId: string } | null
  readonly recent: Pick<RecentCustomers, 'find' | 'forget'>
  readonly images: Pick<Images, 'forget'>
  readonly display: Pick<CustomerDisplay, 'forgetCustomer'>
  readonly drafts: Pick<CheckoutDrafts, 'forgetCustomer'>
  readonly askWhereToSave: AskWhereToSave
  /** what the exported file says about itself, in the language of the screen */
  readonly aboutExport: () => string
  readonly sendProgress: (progress: ForgettingProgress) => void
  readonly now: () => Date
  readonly log: Logger
}

export class PrivacyHandlers implements PrivacyApi {
  readonly #dependencies: PrivacyHandlersDependencies

  constructor(dependencies: PrivacyHandlersDependencies) {
    this.#dependencies = dependencies
  }

  async exportCustomer(customer: CustomerReference): Promise<Result<{ readonly file: string | null }>> {
    const { customerData, scope, recent, askWhereToSave, aboutExport, now, log } = this.#dependencies
    const current = scope()
    if (current === null) return err({ kind: 'not-connected' })
    const createdAt = now().toISOString()
    const file = await askWhereToSave(`customer data ${createdAt.slice(0, 10)}.json`)
    if (file === null) return ok({ file })
    try {
      const data = await customerData()
      const memory = recent.find(customer.id)
      await data.exportTo(file, current, customer, { about: aboutExport(), createdAt, memory })
      return ok({ file })
    } catch (error) {
      log.error('customer-data-not-exported', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  async forgetCustomer(customer: CustomerReference): Promise<Result<ForgettingResult>> {
    const { customerData, slips, scope, sendProgress } = this.#dependencies
    const current = scope()
    if (current === null) return err({ kind: 'not-connected' })
    const pending = slips.opened?.ok === true ? slips.opened.value.pendingWork() : null
    if (pending !== null) return ok({ kind: 'wait', for: pending })
    this.#forgetInMemory(customer.id)
    const data = await customerData()
    return ok(await slips.whileClosed(() => data.remove(current, customer, sendProgress)))
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
