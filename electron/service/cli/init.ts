/** `init`: makes a new service. */
import type { ShopCommand } from './command.ts'

export const initCommand: ShopCommand = {
  name: 'init',
  summary: 'Makes the folder and the database of a new service.',
  createsDatabase: true,
  run: () => Promise.resolve({ text: 'The service is ready. Next: business add --name NAME', json: {} })
}
