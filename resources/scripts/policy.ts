/** `npm run policy`: writes the files for administrators, after a setting or its name has changed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { policyFiles, POLICY_FILES_FOLDER } from '../policy/policy-files.ts'

for (const [name, content] of await policyFiles()) {
  const file = join(POLICY_FILES_FOLDER, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
