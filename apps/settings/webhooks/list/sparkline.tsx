import type { RecentHour } from '#client';
import { texts } from '../../texts/index.js';
import colours from '../overview/statistics/charts.module.css';
import { layOutBars, SPARKLINE_HEIGHT } from './sparkline-bars.js';
import classes from './sparkline.module.css';

const BAR_WIDTH = 5;
const BAR_STEP = 7;

const { list } = texts.webhooks;
const hourFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' });

/**
 * One bar for each hour. Successes are above the line and failures are below it, so that a reader who cannot
 * tell the colours apart sees the difference.
 */
export function Sparkline({ hours }: { hours: readonly RecentHour[] }) {
  const { bars, axis } = layOutBars(hours);
  const width = hours.length * BAR_STEP;
  const failedHours = hours.filter(({ failed, retried }) => failed + retried > 0).length;
  return (
    <svg
      viewBox={`0 0 ${width} ${SPARKLINE_HEIGHT}`}
      width={width}
      height={SPARKLINE_HEIGHT}
      role="img"
      aria-label={list.sparkline(failedHours)}
      className={`${colours['charts'] ?? ''} ${classes['sparkline'] ?? ''}`}
    >
      <line x1={0} x2={width} y1={axis} y2={axis} className={classes['axis']} />
      {bars.map(({ delivered, retried, failed }, index) => {
        const hour = hours[index];
        const x = index * BAR_STEP;
        const below = axis + 1;
        return (
          hour && (
            <g key={hour.at}>
              <title>{list.hour(hourFormat.format(new Date(hour.at)), hour)}</title>
              <rect x={x} y={0} width={BAR_STEP} height={SPARKLINE_HEIGHT} fill="transparent" />
              <Part name="delivered" x={x} y={axis - 1 - delivered} height={delivered} />
              <Part name="retried" x={x} y={below} height={retried} />
              <Part name="failed" x={x} y={below + retried} height={failed} />
            </g>
          )
        );
      })}
    </svg>
  );
}

interface PartProps {
  name: 'delivered' | 'retried' | 'failed';
  x: number;
  y: number;
  height: number;
}

const Part = ({ name, ...place }: PartProps) => (
  <rect {...place} width={BAR_WIDTH} className={classes[name]} />
);
