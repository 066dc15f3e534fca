import { fileURLToPath } from 'node:url'

/**
 * The directory of the migrations of the engine's tables, files `NNNN_name.sql`, which the server's migrator applies. They share one sequence
 * of numbers with the migrations of the server, and use its function `millrace_isolate`.
 */
export const engineMigrations = fileURLToPath(new URL('./migrations/', import.meta.url))
