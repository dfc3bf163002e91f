import { describe, expect, test } from 'vitest'
import { takeProvisioning } from '../../../../electron/main/settings/index.ts'

describe('setting a till up from the environment', () => {
  test('takes the pair without what pasting adds, and the token out of what other programs would inherit', () => {
    const environment = {
      TILLPOINTS_BASE_URL: ' https://a.example/api ',
      TILLPOINTS_TOKEN: ' secret\n',
      PATH: '/bin'
    }
    expect(takeProvisioning(environment)).toEqual({ baseUrl: 'https://a.example/api', token: 'secret' })
    expect(environment).toEqual({ TILLPOINTS_BASE_URL: ' https://a.example/api ', PATH: '/bin' })
  })

  test.each([{}, { TILLPOINTS_TOKEN: 'secret' }, { TILLPOINTS_BASE_URL: ' ', TILLPOINTS_TOKEN: 'secret' }])(
    'asks for nothing with %j, and leaves no token either',
    (environment: NodeJS.ProcessEnv) => {
      expect(takeProvisioning(environment)).toBeNull()
      expect(environment['TILLPOINTS_TOKEN']).toBeUndefined()
    }
  )
})
