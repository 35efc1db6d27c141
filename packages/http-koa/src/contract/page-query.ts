/** The query of lists that come in pages. */
import { z } from 'zod';
import { pageIndex, pageSize } from './whole-number.js';

/** Without either parameter the list is complete. */
export const pageQuery = z.object({ pageIndex, pageSize });
