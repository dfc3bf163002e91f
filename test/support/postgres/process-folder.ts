/** A temporary folder that no process outlives: those that work in it are killed before it is deleted. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { POSTGRES_ACCOUNT } from './programs.ts'

/**
 * Waits until its standard input ends, which it also does when this process is killed. Then it kills what has its working
 * directory in the folder: PostgreSQL outlives the Patroni that has started it, and neither is a child of the test.
 */
const REMOVE = `
cat > /dev/null
while :; do
  pids=
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd")/" in "$FOLDER"/*) pids="$pids \${process#/proc/}" ;; esac
  done
  [ -n "$pids" ] || break
  kill -KILL $pids
  sleep 0.1
done
rm -rf "$FOLDER"`

/** Makes a folder one of the account that runs PostgreSQL. */
export const giveToAccount = (folder: string): void => {
  const { uid, gid } = POSTGRES_ACCOUNT
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
}

export class ProcessFolder {
  readonly path: string
  readonly #remover: ChildProcess

  /** Makes a folder of the account that runs PostgreSQL. */
  constructor(prefix: string) {
    this.path = mkdtempSync(join(tmpdir(), prefix))
    giveToAccount(this.path)
    // Detached: the signal of Ctrl+C goes to all processes of a terminal.
    this.#remover = spawn('sh', ['-c', REMOVE], {
      detached: true,
      cwd: '/',
      env: { ...process.env, FOLDER: this.path },
      stdio: ['pipe', 'ignore', 'ignore']
    })
  }

  /** Kills the processes that work in the folder, and deletes it. */
  async remove(): Promise<void> {
    const ended = once(this.#remover, 'exit')
    this.#remover.stdin?.end()
    await ended
  }
}
