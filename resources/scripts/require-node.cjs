/**
 * Loaded before everything else (`node -r`): the project's Node comes from node_modules, and an install without
 * scripts leaves the machine's own, older one in its place. Plain CommonJS, so that any Node can read it.
 */
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Tillpoints needs Node 24, which "npm ci" installs beside its packages; this is Node ${process.versions.node}. ` +
      'Run "npm ci" without --ignore-scripts, then use the npm scripts.'
  )
  process.exit(1)
}
