import { describePiece, findPieces, type Piece } from '#modules/connectors/index.ts'
import type { Logger } from './logger.ts'

/** The pieces of Activepieces in a folder of the operator. One that cannot be loaded is left out, and the log says why. */
export async function openPieces(folder: string | undefined, logger: Pick<Logger, 'info' | 'warn'>): Promise<readonly Piece[]> {
  if (folder === undefined) return []
  const pieces: Piece[] = []
  try {
    for (const installed of await findPieces(folder)) {
      try {
        pieces.push(await describePiece(installed))
      } catch (error) {
        logger.warn({ piece: installed.name, version: installed.version, err: error }, 'piece not loaded')
      }
    }
  } catch (error) {
    logger.warn({ folder, err: error }, 'pieces not found: install packages such as @activepieces/piece-slack in MILLRACE_PIECES')
  }
  if (pieces.length > 0) logger.info({ pieces: pieces.map(({ name, version }) => `${name}@${version}`) }, 'pieces loaded')
  return pieces
}
