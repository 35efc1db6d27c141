/** The document of the HTTP interface. A separate file, so that a bundle can bring it as it was prepared. */
import { openApiDocument, type OpenApiDocument } from '@blockwork/contract';

export const contractDocument = (prefix: string): OpenApiDocument => openApiDocument({ prefix });
