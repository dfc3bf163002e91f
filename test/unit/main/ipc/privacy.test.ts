import { expect, test } from 'vitest'
import type { Standing } from '../../../../electron/contract/earning-rules.ts'
import { PrivacyHandlers } from '../../../../electron/main/ipc/privacy.ts'
import { RecentCustomers } from '../../../../electron/main/session/recent-customers.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { customer } from '../loyalty/samples.ts'

test('the data of a customer have what the till knows of their level, until they are forgotten', async () => {
  const standing: Standing = { level: { name: 'Gold', factor: '1.5' }, next: null, ending: null }
  const recent = new RecentCustomers({ owner: { number: 1 } })
  recent.see([{ ...customer, id: 'a' }])
  recent.setStanding('a', standing)
  const exported: unknown[] = []
  const handlers = new PrivacyHandlers({
    customerData: {
      get: () =>
        Promise.resolve({
          exportTo: (_file, _scope, _customer, { memory }) => Promise.resolve(void exported.push(memory)),
          remove: () => Promise.resolve({ kind: 'forgotten', slips: 0, pdfs: 0, copies: 0 })
        })
    },
    slips: { opened: null, whileClosed: (work) => work() },
    session: { mode: 'business', journalBusinessId: 'b' },
    recent,
    images: { forget: () => undefined },
    display: { forgetCustomer: () => undefined },
    drafts: { forgetCustomer: () => undefined },
    askWhereToSave: () => Promise.resolve('/home/till/data.json'),
    languages: { screen: 'en' },
    sendProgress: () => undefined,
    log: noOpLogger
  })
  const maria = { id: 'a', name: 'Maria' }
  await handlers.exportCustomer(maria)
  expect(exported).toMatchObject([{ id: 'a', standing }])
  await handlers.forgetCustomer(maria)
  expect(recent.standingOf('a')).toBeNull()
  await handlers.exportCustomer(maria)
  expect(exported[1]).toBeNull()
})
