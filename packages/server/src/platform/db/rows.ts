export interface Rows {}
