/** `/healthz`, `/readyz` and `/metrics`: for programs that watch a service. Nothing here is about a person or a code. */
import { Hono } from 'hono'
import { METRICS_CONTENT_TYPE, renderMetrics } from './metrics.ts'
import type { Monitor } from './monitor.ts'
import type { Readiness } from './readiness.ts'

/** Creates the routes, which are served on a port of their own. */
export const createMonitoringRoutes = (readiness: Readiness, monitor: Monitor): Hono => {
  const routes = new Hono()
  routes.get('/healthz', (c) => c.text('The process answers.\n'))
  routes.get('/readyz', async (c) => {
    const fault = await readiness.fault()
    return fault === null ? c.text('The service is ready.\n') : c.text(`${fault}\n`, 503)
  })
  routes.get('/metrics', (c) =>
    c.body(renderMetrics(monitor.metrics), 200, { 'Content-Type': METRICS_CONTENT_TYPE })
  )
  return routes
}
