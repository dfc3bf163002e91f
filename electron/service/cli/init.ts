/** `init`: makes a new service. */
import { BusinessStore } from '../store/businesses.ts'
import type { ShopCommand } from './command.ts'

export const initCommand: ShopCommand = {
  name: 'init',
  summary: 'Makes the folder and the database of a new service, unless they are there.',
  createsDatabase: true,
  run: async ({ database }) => {
    const isNew = (await new BusinessStore(database).list()).length === 0
    return {
      text: isNew
        ? 'The service is ready. Next: serve, which prints a link by which the owner opens the shop'
        : 'The service is ready.',
      json: {}
    }
  }
}
