import type { Definition, TaskKind } from '@millrace/dsl'
import type { ExtensionNode, TaskNode } from '#core/node.ts'
import type { Json } from '#core/json.ts'
import type { ExpressionContext } from './expression.ts'
import type { FunctionManifest } from './manifest.ts'

/** The functions and resources that a definition may use besides its own. */
export interface Installation {
  /** The default catalog; of several versions of a function the last one given is the latest. */
  readonly functions: readonly FunctionManifest[]
  /** Resources that were fetched when the definition was published, by URI: functions and schemas parsed, scripts as text. Absent where resources are unavailable. */
  readonly resources?: Readonly<Record<string, Json>> | undefined
}

/** The surroundings of a task that is compiled. */
export interface CompileContext {
  readonly definition: Definition
  readonly expressions: ExpressionContext
  readonly installation: Installation
  /** Functions that are being compiled around this one, to detect one that calls itself. */
  readonly callers: readonly string[]
  readonly extensions: readonly CompiledExtension[]
  /** Functions that were compiled, by their reference: one that is called from many places is compiled once. */
  readonly compiledFunctions: Map<string, TaskNode>
}

export interface CompiledExtension extends ExtensionNode {
  readonly appliesTo: (kind: TaskKind) => boolean
}

/** The same with variables that a task binds for those inside it. */
export function binding(context: CompileContext, names: readonly string[]): CompileContext {
  const { expressions } = context
  return { ...context, expressions: { ...expressions, locals: [...expressions.locals, ...names] } }
}

/** An object with the member, or without it: optional members of nodes are absent, never undefined. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [k in K]?: V } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A computed key has no type of its own.
  return (value === undefined ? {} : { [key]: value }) as { readonly [k in K]?: V }
}

/** The same for the compiled form of an optional part of the definition. */
export function compiled<K extends string, S, C, V>(
  key: K,
  source: S | undefined,
  compile: (source: S, context: C) => V,
  context: C,
): { readonly [k in K]?: V } {
  return optional(key, source === undefined ? undefined : compile(source, context))
}
