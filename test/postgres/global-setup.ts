/** Starts a PostgreSQL for all tests of the run. */
import type { TestProject } from 'vitest/node'
import { PostgresServer } from '../support/postgres/cluster.ts'
import { createTemplate } from '../support/postgres/databases.ts'

export default async function (project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.start()
  await createTemplate(server.url())
  project.provide('postgresUrl', server.url())
  return () => server.remove()
}
