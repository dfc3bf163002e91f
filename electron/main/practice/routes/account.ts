/** The business profile (interface document, 4.7). */
import { profileOf } from '../seed/profile.ts'
import type { App, Parts } from '../service.ts'

/** Adds the route to `app`. */
export const accountRoutes = (app: App, { customers, links }: Parts): void => {
  app.get('/account', (c) => {
    const { id, name, timeZone, currentPlan, currentPlanInterval, address } = profileOf(c.var.business)
    return c.json({
      id,
      name,
      logo: links.logo,
      timeZone,
      currentPlan,
      currentPlanInterval,
      currentCustomers: customers.count(c.var.business),
      getStartedLink: links.join,
      address
    })
  })
}
