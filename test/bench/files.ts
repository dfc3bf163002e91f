/** The system's cache of files. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Has Linux forget the files that it read, where this account may. Returns false elsewhere. */
export function forgetFiles(): boolean {
  try {
    execFileSync('sync')
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    return true
  } catch {
    return false
  }
}
