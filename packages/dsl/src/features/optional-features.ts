/**
 * Features that an installation may lack, each with a message for that case: what it cannot do, and what to write instead.
 *
 * A definition that needs one is valid, but such an installation cannot run it.
 */
const abilities = {
  'call.openapi': { cannot: 'call operations of OpenAPI documents' },
  'call.grpc': { cannot: 'call gRPC services' },
  'call.asyncapi': { cannot: 'call AsyncAPI operations' },
  'call.a2a': { cannot: 'call A2A agents' },
  'call.mcp.http': { cannot: 'call MCP servers over HTTP' },
  'call.mcp.stdio': { cannot: 'start MCP servers as processes', instead: 'Use the http transport.' },
  'call.function.inline': { cannot: 'call functions of use.functions', instead: 'Write the task of the function in place of the call.' },
  'call.function.cataloged': {
    cannot: 'call functions of catalogs and at URLs',
    instead: 'Write the function below use.functions, and call it by its name.',
  },
  'call.function.default': { cannot: 'call functions of the default catalog' },
  emit: { cannot: 'emit events' },
  listen: { cannot: 'listen to events' },
  'run.container': { cannot: 'run containers' },
  'run.shell': { cannot: 'run shell commands' },
  'run.script.js': { cannot: 'run scripts in JavaScript' },
  'run.script.python': { cannot: 'run scripts in Python', instead: 'Write the script in js.' },
  'run.script.source': { cannot: 'fetch scripts from elsewhere', instead: 'Write the script here, below code.' },
  'run.workflow': { cannot: 'run other workflows', instead: 'Write the tasks of the other workflow here, in a do.' },
  extensions: { cannot: 'apply extensions', instead: 'Remove them, and write their tasks where they are needed.' },
  'schema.resource': { cannot: 'fetch schemas from elsewhere', instead: 'Write the schema here, below document.' },
  'schema.format': { cannot: 'check data with schemas that are not JSON Schema', instead: 'Write a JSON Schema, and format: json.' },
  'schedule.every': { cannot: 'start workflows at an interval', instead: 'Remove it, and start the workflow by a request.' },
  'schedule.cron': { cannot: 'start workflows by cron expressions', instead: 'Remove it, and start the workflow by a request.' },
  'schedule.after': { cannot: 'start workflows again after they have ended', instead: 'Remove it, and start the workflow by a request.' },
  'schedule.on': { cannot: 'start workflows by events', instead: 'Remove it, and start the workflow by a request.' },
  'evaluate.loose': { cannot: 'evaluate expressions loosely', instead: 'Remove it, and write every expression in ${ … }.' },
} as const satisfies Readonly<Record<string, Ability>>

interface Ability {
  readonly cannot: string
  readonly instead?: string
}

export type OptionalFeature = keyof typeof abilities

// Object.keys is typed to return strings.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const optionalFeatures = Object.keys(abilities) as readonly OptionalFeature[]

/** The message and the hint for an installation that lacks a feature. */
export function lackOf(feature: OptionalFeature): { readonly message: string; readonly hint: string } {
  const { cannot, instead }: Ability = abilities[feature]
  return {
    message: `This installation cannot ${cannot} yet.`,
    hint: instead ?? 'Do this part in a service, and call it with call: http.',
  }
}
