import type { Definition, Extension, TaskKind } from '@millrace/dsl'
import type { Sequence } from '#core/node.ts'
import { compiled, type CompiledExtension, type CompileContext } from './context.ts'
import { compileCondition } from './expression.ts'
import { pointerSegment } from '#core/json-pointer.ts'

type CompileList = (list: NonNullable<Extension['before']>, reference: string, context: CompileContext) => Sequence

/** Compiles the extensions of a definition once; every task that they apply to shares their lists. Their own tasks are not extended. */
export function compileExtensions({ use }: Definition, context: CompileContext, compileList: CompileList): readonly CompiledExtension[] {
  return (use?.extensions ?? []).flatMap((item, index) =>
    Object.entries(item).map(([name, extension]): CompiledExtension => {
      const reference = `/use/extensions/${index}/${pointerSegment(name)}`
      return {
        appliesTo: (kind) => applies(extension.extend, kind),
        before: compileList(extension.before ?? [], `${reference}/before`, context),
        after: compileList(extension.after ?? [], `${reference}/after`, context),
        ...compiled('when', extension.when, compileCondition, context.expressions),
      }
    }),
  )
}

function applies(extend: Extension['extend'], kind: TaskKind): boolean {
  return extend === 'all' || extend === kind || (extend === 'composite' && kind === 'do')
}
