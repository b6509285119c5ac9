import { texts } from '../../texts/index.js';
import classes from './message.module.css';

export function HeaderTable({
  headers,
  label,
}: {
  headers: Record<string, string>;
  label: string;
}) {
  const { message } = texts.delivery;
  return (
    <table aria-label={label} className={classes['headers']}>
      <thead className={classes['hidden']}>
        <tr>
          <th scope="col">{message.headerName}</th>
          <th scope="col">{message.headerValue}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
