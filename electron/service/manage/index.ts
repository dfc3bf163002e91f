/** The shop's own pages, for owner and staff: rendered here, complete without script. */
import type { Hono } from 'hono'
import { CodePages } from './codes.ts'
import { CorrectionPage } from './correction.ts'
import { CustomerPages } from './customer.ts'
import { CustomerListPage } from './customers.ts'
import { DataPages } from './data.ts'
import { Desk, type ManageDependencies } from './desk.ts'
import { EntryPages } from './entries.ts'
import { ProfilePages } from './profile.ts'
import { RewardPages } from './rewards.ts'
import { ReversalPage } from './reversal.ts'
import { SignInPages } from './sign-in.ts'
import { StaffPages } from './staff.ts'
import { TillPages } from './tills.ts'
import { TodayPage } from './today.ts'

/** Creates the routes below `/manage` and `/welcome`. */
export const createManagePages = (dependencies: ManageDependencies): Hono => {
  const desk = new Desk(dependencies)
  for (const pages of [
    new SignInPages(desk),
    new TodayPage(desk),
    new EntryPages(desk),
    new CustomerListPage(desk),
    new CustomerPages(desk),
    new CorrectionPage(desk),
    new ReversalPage(desk),
    new CodePages(desk),
    new RewardPages(desk),
    new TillPages(desk),
    new ProfilePages(desk),
    new DataPages(desk),
    new StaffPages(desk)
  ]) {
    pages.addRoutes()
  }
  return desk.routes
}
