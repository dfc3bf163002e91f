/** The customer data of the till, loaded at the first use, or when an earlier process did not finish a removal. */
import { existsSync } from 'node:fs'
import { createLazy, type Lazy } from '../lazy.ts'
import { clearHttpCache } from '../platform/fetch.ts'
import type { AppPaths } from '../platform/paths.ts'
import type { CustomerData } from '../privacy/customer-data.ts'
import type { TillContext } from './persistence.ts'
import type { SessionServices } from './session.ts'

/** Creates the customer data, loaded at the first use, or when an earlier process did not finish a removal. */
export function createLazyCustomerData(
  { paths, now, log }: TillContext,
  { training }: SessionServices
): Lazy<CustomerData> {
  return createLazy(async () => {
    const { CustomerData } = await import('../privacy/customer-data.ts')
    return new CustomerData({
      journalFile: paths.journal,
      backupsFolder: paths.backups,
      slipsFolder: paths.slips,
      trainingFile: paths.training,
      markerFile: paths.removal,
      training,
      async clearCaches() {
        const { removeTemporaryFiles } = await import('../printing/windows/windows-printing.ts')
        await Promise.all([clearHttpCache(), removeTemporaryFiles(now(), 0)])
      },
      log
    })
  })
}

/** Finishes a removal of an earlier process. Call before the journal opens. */
export async function resumeRemoval(paths: AppPaths, customerData: Lazy<CustomerData>): Promise<void> {
  if (existsSync(paths.removal)) await (await customerData.get()).resume()
}
