import { type Definition, variablesNamed } from '@millrace/dsl'
import type { Json } from '#core/json.ts'
import type { CompiledWorkflow, VariablesRead } from '#core/node.ts'
import { compiled, type CompileContext, type Installation, optional } from './context.ts'
import { compileDuration, compileTransformation, type ExpressionContext } from './expression.ts'
import { compileExtensions } from './extensions.ts'
import { compileLabels } from './labels.ts'
import { compileCheck } from './schema.ts'
import { compileList } from './task.ts'
import { unsupportedIn, UnsupportedError } from './unsupported.ts'

/** More than this is no limit in practice. */
const CONCURRENCY_MAX = 1_000_000

const NOTHING: Installation = { functions: [] }

export interface CompileOptions {
  /** Compiles each expression when it is evaluated first: for definitions that validated before, to have them at once. */
  readonly lazy?: boolean
}

/**
 * Compiles a definition that validated: expressions to closures, tasks to nodes, names to what they mean. Done once per version.
 * @throws UnsupportedError for what this engine cannot run.
 */
export function compileWorkflow(
  definition: Definition,
  installation: Installation = NOTHING,
  { lazy = false }: CompileOptions = {},
): CompiledWorkflow {
  const unsupported = unsupportedIn(definition, installation)
  if (unsupported.length > 0) throw new UnsupportedError(unsupported)
  const expressions: ExpressionContext = { locals: [], clock: { nowMs: 0 }, lazy }
  const plain: CompileContext = { definition, expressions, installation, callers: [], extensions: [], compiledFunctions: new Map() }
  const context = { ...plain, extensions: compileExtensions(definition, plain, compileList) }
  const { document, input, output, timeout, use } = definition
  const timeoutOf = typeof timeout === 'string' ? use?.timeouts?.[timeout] : timeout
  return {
    document: { namespace: document.namespace, name: document.name, version: document.version },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
    definition: definition as unknown as Json,
    secrets: use?.secrets ?? [],
    ...optional('variables', variablesRead(definition)),
    ...optional('labels', compileLabels(document.metadata?.labels)),
    tasks: compileList(definition.do, '/do', context),
    ...optional('inputCheck', compileCheck(input?.schema, 'the input of the workflow', installation)),
    ...compiled('inputFrom', input?.from, compileTransformation, expressions),
    ...compiled('outputAs', output?.as, compileTransformation, expressions),
    ...optional('outputCheck', compileCheck(output?.schema, 'the output of the workflow', installation)),
    ...compiled('timeoutMs', timeoutOf?.after, compileDuration, expressions),
    ...optional('concurrency', concurrencyOf(document.metadata?.concurrency)),
  }
}

/** A definition that was published before there was such a limit may have something else in this place: it is ignored. */
function concurrencyOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 ? Math.min(value, CONCURRENCY_MAX) : undefined
}

function variablesRead(definition: Definition): VariablesRead | undefined {
  const { names, any } = variablesNamed(definition)
  return names.size === 0 && !any ? undefined : { names: [...names.keys()], all: any }
}
