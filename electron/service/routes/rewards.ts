/** Rewards: list and by id (interface document, 4.5 and 4.6). */
import { answer } from '../answer.ts'
import { Refusal } from '../errors.ts'
import { pageBody, pageRequestOf, rowsToRead } from '../paging.ts'
import type { App, Parts } from '../service.ts'

/** Adds the routes to `app`. */
export const rewardRoutes = (app: App, { rewards }: Parts): void => {
  app.get('/rewards', (c) => {
    const page = pageRequestOf((name) => c.req.query(name))
    const body = pageBody(page, rewards.list(c.get('business'), rowsToRead(page)))
    return answer(c, { ...body, noRewards: body.data.length })
  })

  app.get('/rewards/:id', (c) => {
    const reward = rewards.find(c.get('business'), c.req.param('id'))
    if (reward === null) throw new Refusal(404, 'reward-unknown')
    return answer(c, reward)
  })
}
