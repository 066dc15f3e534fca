import type { ContainerProcess, ScriptProcess, ShellProcess, WorkflowProcess } from '#src/shape/run-shapes.ts'
import type { Catch, DoTask, ForTask, TaskBase, TaskList } from '#src/shape/task-shapes.ts'
import { iterator } from './specimen-calls.ts'
import { duration, error, event, exported, filter, input, output, resource, retryPolicy, strategies } from './specimen-parts.ts'

const base = {
  if: '.ready',
  input,
  output,
  export: exported,
  timeout: { after: duration },
  then: 'continue',
  metadata: { note: 'anything', position: { x: 1, y: 2 } },
} as const satisfies Required<TaskBase>

const container = {
  image: 'alpine:3',
  name: '${ "job-\\(.id)" }',
  command: 'echo "${HOME}"',
  ports: { '8080': 80 },
  volumes: { '/data': '/data' },
  environment: { MODE: '${ .mode }' },
  stdin: '${ . }',
  arguments: ['a', '${ .b }'],
  lifetime: { cleanup: 'eventually', after: { minutes: 30 } },
  pullPolicy: 'ifNotPresent',
} as const satisfies Required<ContainerProcess>

const script = {
  language: 'js',
  code: 'console.log(`${process.argv[2]}`)',
  stdin: 'text',
  arguments: ['a'],
  environment: { A: 'b' },
} as const satisfies ScriptProcess

const shell = {
  command: 'echo $1',
  stdin: '${ .text }',
  arguments: ['a', '${ .b }'],
  environment: { A: '${ .a }' },
} as const satisfies Required<ShellProcess>

const workflow = {
  namespace: 'shop',
  name: 'ship-order',
  version: '1.0.0',
  input: { order: '${ .order }' },
} as const satisfies Required<WorkflowProcess>

const loop = {
  ...base,
  for: { each: 'line', in: '.order.lines', at: 'number' },
  while: '$number < 10 and $line != null',
  do: [{ add: { set: { sum: '${ .sum + $line.price }' } } }],
  metadata: { concurrency: 4, note: 'ours' },
} as const satisfies Required<ForTask>

const caught = {
  errors: { with: filter },
  as: 'problem',
  when: '$problem.status == 503',
  exceptWhen: '$problem.detail == null',
  retry: { ...retryPolicy, when: '$problem.status >= 500', exceptWhen: '$problem.status == 501' },
  do: [{ note: { set: { failed: '${ $problem.title }' } } }],
  then: 'exit',
} as const satisfies Required<Catch>

/** Every task that is not a call, with every property that it may have. */
export const tasks = [
  { doing: { ...base, do: [{ inner: { set: { x: 1 } } }] } satisfies Required<DoTask> },
  { emitting: { ...base, emit: { event: { with: event } } } },
  { looping: loop },
  { loopingOverList: { for: { in: [{ name: 'red' }, { name: '${ .color }' }] }, do: [] } },
  {
    forking: {
      ...base,
      fork: { branches: [{ left: { set: { x: 1 } } }, { right: { do: [{ deep: { wait: 'PT1S' } }] } }], compete: true },
    },
  },
  { listeningToOne: { ...base, listen: { to: strategies.one, read: 'envelope' }, foreach: iterator } },
  { listeningToAll: { listen: { to: strategies.all, read: 'data' } } },
  { listeningToAny: { listen: { to: strategies.any, read: 'raw' } } },
  { listeningToAnything: { listen: { to: strategies.anyEvent } } },
  { listeningUntilCondition: { listen: { to: strategies.anyUntilCondition } } },
  { listeningUntilEvent: { listen: { to: strategies.anyUntilEvent } } },
  { raising: { ...base, raise: { error } } },
  { raisingByName: { if: '.x', raise: { error: 'outOfStock' } } },
  { runningContainer: { ...base, run: { container, await: true, return: 'all' } } },
  { runningScript: { run: { script, await: false, return: 'stdout' } } },
  { runningScriptFrom: { run: { script: { language: 'python', source: resource }, return: 'stderr' } } },
  { runningShell: { run: { shell, return: 'code' } } },
  { runningWorkflow: { run: { workflow, return: 'none' } } },
  { runningLatest: { run: { workflow: { namespace: 'shop', name: 'ship-order', version: 'latest' } } } },
  { setting: { ...base, set: { text: 'plain', value: '${ .value }', deep: [{ x: '${ .x }' }], none: null } } },
  { settingByExpression: { set: '${ . + { done: true } }' } },
  {
    switching: {
      ...base,
      switch: [
        { large: { when: '.total > 100', then: 'trying' } },
        { small: { when: '${ .total < 10 }', then: 'end' } },
        { other: { then: 'continue' } },
      ],
    },
  },
  { trying: { ...base, try: [{ risky: { set: { x: 1 } } }], catch: caught } },
  { tryingByName: { try: [], catch: { retry: 'patient' } } },
  { tryingBriefly: { try: [], catch: {} } },
  { waiting: { ...base, wait: duration } },
  { waitingByText: { wait: 'P1DT2H3M4.5S' } },
  { waitingByExpression: { wait: '${ .delay }', timeout: 'short' } },
] as const satisfies TaskList
