/** The tokens of a policy: amounts minted, and their holders. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Loaded } from '../ui/loaded.js';
import { Table } from '../ui/table.js';

/** Number of accounts shown per token. */
const SHOWN = 100;

export default function TokensTab({ id }: { readonly id: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['tokens', id],
    queryFn: async ({ signal }) => client.policy(id).tokens({ signal }),
    retry: false,
  });
  return (
    <Loaded query={query}>
      {(tokens) =>
        tokens.length === 0 ? (
          <p className="quiet">{texts.tokens.none}</p>
        ) : (
          <div className="in-order">
            {tokens.map((tokenId) => (
              <Token key={tokenId} policyId={id} tokenId={tokenId} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function Token({ policyId, tokenId }: { readonly policyId: string; readonly tokenId: string }): ReactNode {
  const client = useClient();
  const query = useQuery({
    queryKey: ['tokens', policyId, tokenId],
    queryFn: async ({ signal }) => {
      const token = await client.policy(policyId).token(tokenId, { signal });
      const page = { pageIndex: 0, pageSize: SHOWN };
      const { data } = await client.routes.listBalances({ policyId, tokenId, query: page, signal });
      return { token, balances: data };
    },
    retry: false,
  });
  return (
    <section className="card">
      <Loaded query={query}>
        {({ token, balances }) => (
          <>
            <h2>
              {token.tokenName} <span className="quiet">{token.tokenSymbol}</span>
            </h2>
            <dl>
              <dt>{texts.page.minted}</dt>
              <dd>{texts.tokens.minted(token.mintedAmount, token.mints)}</dd>
              <dt>{texts.tokens.supply}</dt>
              <dd>{token.supplyAmount}</dd>
              <dt>{texts.tokens.holders}</dt>
              <dd>{token.holders}</dd>
            </dl>
            {balances.length > 0 && (
              <Table label={token.tokenName} columns={[texts.tokens.account, texts.tokens.balance]}>
                {balances.map(({ accountId, amount, frozen }) => (
                  <tr key={accountId}>
                    <td>{accountId}</td>
                    <td>
                      {amount} {frozen && <span className="mark warning">{texts.tokens.frozen}</span>}
                    </td>
                  </tr>
                ))}
              </Table>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
