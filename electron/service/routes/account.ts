/** The business profile (interface document, 4.7). */
import { answer } from '../answer.ts'
import { profileOf } from '../seed/profile.ts'
import type { App, Parts } from '../service.ts'

/** Adds the route to `app`. */
export const accountRoutes = (app: App, { customers, links }: Parts): void => {
  app.get('/account', (c) => {
    const { id, name, timeZone, currentPlan, currentPlanInterval, address } = profileOf(c.get('business'))
    return answer(c, {
      id,
      name,
      logo: links.logo,
      timeZone,
      currentPlan,
      currentPlanInterval,
      currentCustomers: customers.count(c.get('business')),
      getStartedLink: links.join,
      address
    })
  })
}
