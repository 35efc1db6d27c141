/** The OpenAPI document of the HTTP interface. A separate module, so that a bundle can replace it with the generated document. */
import { openApiDocument, type OpenApiDocument } from '@blockwork/contract';

export const contractDocument = (prefix: string): OpenApiDocument => openApiDocument({ prefix });
