/**
 * The service with sample data, until it is killed: `node operating-service-process.ts <file> <address> <port>`. It prints its
 * base URL. Port 0 selects a free one.
 */
import { API_PREFIX } from '../../electron/service/api/app.ts'
import { LoyaltyPointsService } from '../../electron/service/index.ts'
import { listen } from '../../electron/service/server.ts'

const [file = '', host = '', port = '0'] = process.argv.slice(2)
const { origin } = await listen({
  host,
  port: Number(port),
  ownsProcess: true,
  openService: (publicUrl) =>
    LoyaltyPointsService.open({ file, tokens: ['demo'], publicUrl, seed: { customers: 60, rewards: 12 } })
})
process.stdout.write(`${origin}${API_PREFIX}\n`)
