/** The shop's own pages, for owner and staff: rendered here, complete without script. */
import type { Hono } from 'hono'
import { ActivityPage } from './activity.ts'
import { ByTillPage } from './by-till.ts'
import { CodePages } from './codes.ts'
import { CorrectionPage } from './correction.ts'
import { CustomerPages } from './customer.ts'
import { CustomerListPage } from './customers.ts'
import { DataPages } from './data.ts'
import { ManageRouter, type ManageDependencies } from './manage-router.ts'
import { EntryPages } from './entries.ts'
import { ProfilePages } from './profile.ts'
import { OfflinePages } from './offline.ts'
import { RewardPages } from './rewards.ts'
import { RulesPages } from './rules.ts'
import { PhoneLinkPage } from './phone-link.ts'
import { ReversalPage } from './reversal.ts'
import { SignInPages } from './sign-in.ts'
import { StaffPages } from './staff.ts'
import { TillPages } from './tills.ts'
import { TodayPage } from './today.ts'

/** Creates the routes below `/manage` and `/welcome`. */
export const createManagePages = (dependencies: ManageDependencies): Hono => {
  const router = new ManageRouter(dependencies)
  const activity = new ActivityPage(router)
  for (const pages of [
    new SignInPages(router),
    new TodayPage(router, activity),
    activity,
    new ByTillPage(router),
    new EntryPages(router),
    new CustomerListPage(router),
    new CustomerPages(router),
    new CorrectionPage(router),
    new PhoneLinkPage(router),
    new ReversalPage(router),
    new CodePages(router),
    new RewardPages(router),
    new RulesPages(router),
    new TillPages(router),
    new OfflinePages(router),
    new ProfilePages(router),
    new DataPages(router),
    new StaffPages(router)
  ]) {
    pages.addRoutes()
  }
  return router.routes
}
