import type { Json } from '#src/json.ts'
import { type SourceNode, valueOf } from '#src/tree/source-node.ts'
import type { Piece } from '#src/edit/plan/operation.ts'
import { valueOfPiece } from '#src/edit/plan/operate-on-json.ts'

/** The value that a piece stands for in a text. */
export function valueInTree(root: SourceNode, piece: Piece): Json {
  return valueOfPiece(valueOf(root), piece)
}
