/** The rig's own CUPS scheduler: a private folder, a free port, nobody's rights. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDERS = ['etc', 'spool', 'spool/tmp', 'cache', 'state', 'log'] as const

/** Whose rights the scheduler and its filters have. */
export interface RigUser {
  readonly name: string
  readonly group: string
}

const filesConfiguration = (folder: string, { name, group }: RigUser): string => `ServerRoot ${folder}/etc
RequestRoot ${folder}/spool
TempDir ${folder}/spool/tmp
CacheDir ${folder}/cache
StateDir ${folder}/state
AccessLog ${folder}/log/access_log
ErrorLog ${folder}/log/error_log
PageLog ${folder}/log/page_log
SystemGroup ${group}
User ${name}
Group ${group}
FileDevice Yes
`

/** Loopback only, no browsing. A printer that is off is tried again each second rather than each half minute. */
const schedulerConfiguration = (folder: string, port: number): string => `LogLevel debug
Listen localhost:${port}
Listen ${folder}/state/cups.sock
Browsing No
BrowseLocalProtocols none
WebInterface No
DefaultAuthType None
DefaultShared No
DirtyCleanInterval 0
PreserveJobHistory Yes
PreserveJobFiles No
JobRetryInterval 1
ErrorPolicy retry-job
<Location />
  Order allow,deny
  Allow localhost
</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  SubscriptionPrivateAccess all
  SubscriptionPrivateValues none
  <Limit All>
    Order allow,deny
    Allow localhost
  </Limit>
</Policy>
`

/** Writes the scheduler's folder and configuration; gives back its arguments. */
export async function writeScheduler(
  folder: string,
  port: number,
  user: RigUser
): Promise<readonly string[]> {
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true })
  const [files, main] = [join(folder, 'etc/cups-files.conf'), join(folder, 'etc/cupsd.conf')]
  await writeFile(files, filesConfiguration(folder, user))
  await writeFile(main, schedulerConfiguration(folder, port))
  return ['-f', '-c', main, '-s', files]
}
